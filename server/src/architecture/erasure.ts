import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

/** A person with commits only, and the request of the contributor. */
export interface SeededErasure {
  erasableId: string;
  erasureId: string;
}

export const newErasureIds = (): SeededErasure => ({ erasableId: newId(), erasureId: newId() });

interface ErasureScene extends SeededErasure {
  orgId: string;
  /** Accounts with a request for data deletion; that of the contributor is the first. */
  accountIds: readonly string[];
}

export const erasablePersonName = 'House Committer';

/** Restores the state in which each account has an open request and no person is erased. */
export async function resetErasures(
  { secrets, people }: Services,
  tx: Tx,
  { orgId, erasableId, erasureId, accountIds }: ErasureScene,
): Promise<void> {
  await tx.db.deleteFrom('erasure').where('org_id', '=', orgId).execute();
  const run = (text: string, ...values: unknown[]) => tx.query({ name: '', text, values: [orgId, ...values] });
  await run(
    'insert into person (org_id, id) values ($1, $2) on conflict (org_id, id) do update set erased_at = null',
    erasableId,
  );
  const sealed = secrets.seal({ org: orgId, table: 'person_key', field: erasableId }, Buffer.alloc(32, 7));
  await run(
    'insert into person_key (org_id, person_id, key) values ($1, $2, $3) on conflict do nothing',
    erasableId,
    sealed,
  );
  await run(
    `insert into identity (org_id, kind, value, person_id, display, source, confidence)
     values ($1, 'email', $2, $3, '${erasablePersonName}', 'seed', 'observed') on conflict do nothing`,
    `${erasableId}@seed.example`,
    erasableId,
  );
  await run(
    `insert into erasure (org_id, id, person_id, account_id, basis, state, requested_by)
     select $1, case when i.value = $3 then $4::uuid else gen_random_uuid() end, i.person_id, i.value::uuid, 'person', 'requested', i.value::uuid
     from identity i where i.org_id = $1 and i.kind = 'account' and i.value = any($2::text[])`,
    accountIds,
    accountIds[0],
    erasureId,
  );
  people.forget([erasableId]);
}
