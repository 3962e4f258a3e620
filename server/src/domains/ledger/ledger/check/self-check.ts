import type { Services } from '#core/services.ts';
import { createLedgerOwnEntry } from '../census.ts';
import { appendWithoutQueue, lockHead } from '../head.ts';
import { haltLog } from '../sequence.ts';
import { checkLedger } from './check.ts';

// After these problems the log cannot be extended. Changed audit entries or events do not affect the log itself.
const logProblems = ['entry', 'tile', 'head', 'checkpoint', 'anchor', 'outside'];

/** Checks the ledger, appends the result to it, and notifies about problems. */
export async function runSelfCheck(services: Services, orgId: string): Promise<void> {
  const { ledger } = services;
  const checked = await checkLedger(services, orgId);
  if (!checked) return;
  const { problems, size } = checked;
  const [broken] = problems.filter(({ what }) => logProblems.includes(what));
  if (broken) return haltLog(ledger, orgId, broken.message);
  await ledger.database.withOrg(orgId, async (tx) => {
    const head = await lockHead(tx, orgId, 'wait');
    if (!head || head.halted !== null) return;
    const places = problems.slice(0, 100).map(({ what, epoch, index }) => ({ what, epoch, index }));
    await appendWithoutQueue(
      tx,
      orgId,
      head,
      createLedgerOwnEntry(orgId, 'ledger.check', { size, problems: problems.length, places }),
    );
  });
  const [first] = problems;
  if (first) await ledger.failed(orgId, `${first.message}${problems.length > 1 ? ` (${problems.length} in all)` : ''}`);
}
