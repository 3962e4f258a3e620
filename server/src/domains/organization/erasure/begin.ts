import type { ErasureBasis } from '@sightline/contract/organization/erasure.ts';
import { soleOwnerMessage } from '@sightline/contract/organization/organizations.ts';
import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import { Conflict, NotFound, Refusal } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { endGrants } from '../../identity/extensions/commands.ts';
import { endSessions } from '../../identity/sessions/commands.ts';
import { erasureSteps } from './erasure-steps.ts';
import { loadNamesToErase } from './names.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'erasure.run': { orgId: string; erasureId: string };
  }
}

/** The subject of an erasure: the person, as the target of merges, and the account of the person. */
export interface ErasureSubject {
  personId: string;
  accountId: string | null;
}

interface ErasureOrder {
  /** The approved request, if there is one. */
  erasureId?: string;
  basis: ErasureBasis;
  /** The account ID of the requester; null for an operator. */
  requestedBy: string | null;
}

/** The context that the names of an erased person are sealed for. */
export const erasedNamesSealContext = (orgId: string, erasureId: string) => ({
  org: orgId,
  table: 'erasure',
  field: erasureId,
});

// Within this time the membership cache of every process expires, so that none records data of the person anymore.
const forgottenAfterMs = 6_000;

/**
 * Starts an erasure in a transaction that locks the organization: deletes the key and identities of the person, ends
 * their access, and appends a ledger entry. A job removes their names from other rows. Throws 409 for the only owner.
 */
export async function beginErasure(
  services: Services,
  tx: Tx,
  orgId: string,
  {
    actor,
    erasureSubject: { personId, accountId },
    begin: { erasureId = newId(), basis, requestedBy },
  }: { actor: AuditActor; erasureSubject: ErasureSubject; begin: ErasureOrder },
): Promise<string> {
  const { people, secrets, jobs, memberships, realtime } = services;
  if (accountId !== null) await refuseSoleOwner(tx, orgId, accountId);
  const persons = await personsOf(tx, orgId, personId);
  const names = await loadNamesToErase(tx, orgId, persons, accountId);
  const deletesAccount = accountId !== null && (await hasNoOtherOrganization(tx, orgId, accountId));
  if (accountId !== null) {
    await endGrants(services, tx, orgId, { actor: { clock: true }, which: { accountId, reason: 'erased' } });
    await tx.db.deleteFrom('member').where('org_id', '=', orgId).where('account_id', '=', accountId).execute();
  }
  if (accountId !== null && deletesAccount) await shutOut(services, tx, accountId);
  await tx.query({ name: '', text: forgetSql, values: [orgId, persons] });
  const entryId = newId();
  await tx.query({
    name: '',
    text: runningSql,
    values: [
      ...[orgId, erasureId, personId, accountId, basis, requestedBy, deletesAccount],
      secrets.seal(erasedNamesSealContext(orgId, erasureId), Buffer.from(JSON.stringify({ persons, names }))),
      erasureSteps().length,
      entryId,
    ],
  });
  people.forget(persons);
  await appendErasureEntry(tx, orgId, {
    id: entryId,
    erasure: erasureId,
    basis,
    requestedBy,
    persons,
    person: personId,
  });
  await recordAuditEntry(tx, {
    people,
    orgId,
    actor,
    entry: {
      action: 'person.erased',
      subject: { kind: 'person', id: personId },
      data: { basis, erasure: erasureId },
    },
  });
  const startAfter = new Date(Date.now() + forgottenAfterMs);
  await jobs.enqueue(tx, 'erasure.run', { orgId, erasureId }, { key: erasureId, startAfter });
  tx.afterCommit(() => {
    people.forget(persons);
    if (accountId === null) return;
    memberships.forget(accountId);
    realtime.cut(accountId, orgId);
    realtime.notifyOrganization(orgId, 'orgMembers', { accountId });
  });
  return erasureId;
}

export async function refuseSoleOwner(tx: Tx, orgId: string, accountId: string): Promise<void> {
  const [row] = await tx.query<{ sole: boolean }>({
    name: '',
    text: `select exists (select from member where org_id = $1 and account_id = $2 and role_id = 'rol_owner' and status = 'active')
             and not exists (select from member where org_id = $1 and account_id <> $2 and role_id = 'rol_owner' and status = 'active') as sole`,
    values: [orgId, accountId],
  });
  if (row?.sole) throw new Refusal('sole_owner', soleOwnerMessage);
}

/** All IDs of the person, including merged ones. */
async function personsOf(tx: Tx, orgId: string, personId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string; erased: boolean }>({
    name: '',
    text: `select id, erased_at is not null as erased from person where org_id = $1 and (id = $2 or merged_into = $2) order by id for update`,
    values: [orgId, personId],
  });
  if (rows.length === 0) throw NotFound('Person');
  if (rows.some(({ id, erased }) => id === personId && erased))
    throw Conflict('The data of this person is already deleted.');
  return rows.map(({ id }) => id);
}

async function hasNoOtherOrganization(tx: Tx, orgId: string, accountId: string): Promise<boolean> {
  const rows = await tx.query<{ id: string }>({
    name: '',
    text: 'select orgs_of_account($1) as id',
    values: [accountId],
  });
  return rows.every(({ id }) => id === orgId);
}

/** Prevents sign-ins to the account from the commit on. The job deletes its other data. */
async function shutOut(services: Services, tx: Tx, accountId: string): Promise<void> {
  await endSessions(services, tx, accountId, () => true);
  for (const table of ['account_identity', 'account_password', 'account_totp', 'account_passkey'] as const) {
    await tx.db.deleteFrom(table).where('account_id', '=', accountId).execute();
  }
  tx.afterCommit(() => services.realtime.cut(accountId));
}

// Deletes the key first: without it, the commitments in the ledger cannot be opened.
const forgetSql = `
  with keys as (delete from person_key where org_id = $1 and person_id = any($2::uuid[])),
  names as (delete from identity where org_id = $1 and person_id = any($2::uuid[])),
  listed as (delete from committer where org_id = $1 and person_id = any($2::uuid[]))
  update person set erased_at = now() where org_id = $1 and id = any($2::uuid[])`;

const runningSql = `
  insert into erasure (org_id, id, person_id, account_id, basis, requested_by, deletes_account, names_sealed, total, entry_id, state, decided_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'running', now())
  on conflict (org_id, id) do update set state = 'running', deletes_account = excluded.deletes_account, names_sealed = excluded.names_sealed,
    total = excluded.total, entry_id = excluded.entry_id`;

/** Appends the permanent record of an erasure to the ledger: opaque IDs, basis and requester. */
async function appendErasureEntry(
  tx: Tx,
  orgId: string,
  {
    id,
    erasure,
    basis,
    requestedBy,
    persons,
    person,
  }: {
    id: string;
    erasure: string;
    basis: string;
    requestedBy: string | null;
    persons: string[];
    person: string;
  },
): Promise<void> {
  const at = new Date().toISOString();
  const subject = { erasure, basis, requestedBy, persons };
  const fact = {
    id,
    org: orgId,
    kind: 'erasure',
    asOf: at,
    receivedAt: at,
    person,
    source: 'sightline',
    subject,
    personal: {},
  };
  await appendEntries(tx, orgId, [createLedgerEntry(fact, undefined)]);
}
