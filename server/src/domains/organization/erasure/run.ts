import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { erasedNamesSealContext } from './begin.ts';
import type { ErasureContext } from './erasure-context.ts';
import { erasureSteps } from './erasure-steps.ts';
import { erasedRowsRoot } from './queries.ts';
import { createNameScrub, type ErasedNames } from './scrub.ts';

interface RunningErasure extends Record<string, unknown> {
  person_id: string;
  account_id: string | null;
  deletes_account: boolean;
  names_sealed: Buffer;
  done: number;
}

/**
 * Runs the steps of an erasure from the first unfinished one. Each finished step is recorded, so that a run resumes
 * after a crash. Finally, appends the changed rows to the ledger and deletes the sealed names.
 */
export async function runErasure(services: Services, orgId: string, erasureId: string): Promise<void> {
  const { database, realtime } = services;
  const row = await database.withOrg(orgId, (tx) => maybeRunning(tx, orgId, erasureId));
  if (!row) return;
  const opened = services.secrets.open(erasedNamesSealContext(orgId, erasureId), row.names_sealed).toString();
  const { persons, names } = JSON.parse(opened) as { persons: string[]; names: ErasedNames };
  services.people.forget(persons);
  const emails = names.emails.map((email) => email.toLowerCase());
  const { account_id: accountId, deletes_account: deletesAccount } = row;
  const scrub = createNameScrub(names);
  const erasing: ErasureContext = { services, orgId, erasureId, persons, accountId, deletesAccount, emails, scrub };
  const steps = erasureSteps();
  for (const [index, { erase }] of steps.entries()) {
    if (index < row.done) continue;
    const rows = await erase(erasing);
    await database.withOrg(orgId, async (tx) => {
      await tx.query({
        name: '',
        text: 'update erasure set done = $3, rows = rows + $4 where org_id = $1 and id = $2',
        values: [orgId, erasureId, index + 1, rows],
      });
      tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgMembers', {}));
    });
  }
  await finish(services, orgId, erasureId, row.person_id);
}

async function maybeRunning(tx: Tx, orgId: string, erasureId: string): Promise<RunningErasure | undefined> {
  const [row] = await tx.query<RunningErasure>({
    name: '',
    text: `select person_id, account_id, deletes_account, names_sealed, done from erasure
           where org_id = $1 and id = $2 and state = 'running' and names_sealed is not null`,
    values: [orgId, erasureId],
  });
  return row;
}

const finish = ({ database, realtime }: Services, orgId: string, erasureId: string, person: string): Promise<void> =>
  database.withOrg(orgId, async (tx) => {
    const ended = await tx.query<{ id: string }>({
      name: '',
      text: `update erasure set state = 'done', names_sealed = null, finished_at = now()
             where org_id = $1 and id = $2 and state = 'running' returning id`,
      values: [orgId, erasureId],
    });
    if (ended.length === 0) return;
    const at = new Date().toISOString();
    const subject = { erasure: erasureId, ...(await erasedRowsRoot(tx, orgId, erasureId)) };
    const times = { asOf: at, receivedAt: at };
    const fact = {
      id: newId(),
      org: orgId,
      kind: 'erasure.done',
      ...times,
      person,
      source: 'sightline',
      subject,
      personal: {},
    };
    await appendEntries(tx, orgId, [createLedgerEntry(fact, undefined)]);
    tx.afterCommit(() => {
      realtime.notifyOrganization(orgId, 'orgMembers', {});
      realtime.notifyOrganization(orgId, 'orgAudit', {});
    });
  });
