import { forEachOrganizationOfAccount } from '#core/account-audit.ts';
import type { PersonName } from '#core/people.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { lockPersons, unitePersons } from './unite.ts';

/**
 * Assigns names that an identity provider confirmed to an account in each of its organizations, with the activity
 * recorded under them. A name of another account remains there. `tx` has no organization.
 */
export async function claimNames(
  services: Services,
  tx: Tx,
  accountId: string,
  names: readonly PersonName[],
): Promise<void> {
  if (names.length === 0) return;
  await forEachOrganizationOfAccount(tx, accountId, undefined, ({ orgId }) =>
    claimIn(services, tx, orgId, { accountId, names }),
  );
  tx.afterCommit(() => services.memberships.forget(accountId));
}

async function claimIn(
  services: Services,
  tx: Tx,
  orgId: string,
  { accountId, names }: { accountId: string; names: readonly PersonName[] },
) {
  await lockPersons(tx, orgId);
  const all = [{ kind: 'account', value: accountId } as const, ...names];
  const claim = { names: all, display: null, picture: null, source: 'sightline' };
  const [own = ''] = await services.people.resolve(tx, orgId, [claim]);
  const unlinkedPersons = await tx.query<{ person_id: string }>({
    name: 'linking.strangers',
    text: `select distinct i.person_id from identity i
           join unnest($2::text[], $3::text[]) as n(kind, value) on n.kind = i.kind and n.value = i.value
           where i.org_id = $1 and i.person_id <> $4 and not exists (
             select from identity a where a.org_id = $1 and a.person_id = i.person_id and a.kind = 'account')`,
    values: [orgId, names.map((name) => name.kind), names.map((name) => name.value.toLowerCase()), own],
  });
  for (const { person_id: from } of unlinkedPersons) await unitePersons(services, tx, orgId, { from, into: own });
}
