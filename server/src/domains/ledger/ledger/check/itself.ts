import type { Services } from '#core/services.ts';
import { ownEntry } from '../census.ts';
import { appendOwn, lockHead } from '../head.ts';
import { halt } from '../sequence.ts';
import { checkLedger } from './check.ts';

// Of these nothing can be added behind what is wrong; an audit entry or event that was changed leaves the log itself whole.
const ofTheLog = ['entry', 'tile', 'head', 'checkpoint', 'anchor', 'outside'];

/** Looks at all of the ledger, and puts what was found into it. What does not agree is told to people. */
export async function checkItself(services: Services, orgId: string): Promise<void> {
  const { ledger } = services;
  const checked = await checkLedger(services, orgId);
  if (!checked) return;
  const { problems, size } = checked;
  const [broken] = problems.filter(({ what }) => ofTheLog.includes(what));
  if (broken) return halt(ledger, orgId, broken.says);
  await ledger.database.withOrg(orgId, async (tx) => {
    const head = await lockHead(tx, orgId, 'wait');
    if (!head || head.halted !== null) return;
    const places = problems.slice(0, 100).map(({ what, epoch, index }) => ({ what, epoch, index }));
    await appendOwn(tx, orgId, head, ownEntry(orgId, 'ledger.check', { size, problems: problems.length, places }));
  });
  const [first] = problems;
  if (first) await ledger.failed(orgId, `${first.says}${problems.length > 1 ? ` (${problems.length} in all)` : ''}`);
}
