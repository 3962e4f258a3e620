import type { Services } from '#core/services.ts';
import { refuseContradiction } from '../checkpoints.ts';
import { LedgerContradiction, type LogHead, tileReaderOf } from '../head.ts';
import { readStoredCheckpoint } from '../stored-checkpoint.ts';
import { checkAnchors } from './anchors.ts';
import { checkAudit } from './audit.ts';
import { checkErasures } from './erasures.ts';
import { checkEvents } from './events.ts';
import { checkFindingStates } from './finding-states.ts';
import type { LedgerProblem } from './problem.ts';
import { checkRecordedStates } from './recorded-states.ts';
import { checkTree } from './tree.ts';

/** The result of a ledger check: the checked size and the problems. */
export interface LedgerCheck {
  epoch: number;
  size: number;
  problems: LedgerProblem[];
}

/** Maximum reported problems; a damaged log can repeat one problem a million times. */
const MAX_PROBLEMS = 1000;

/**
 * Checks the complete ledger of an organization: all epochs from their entries up, the last checkpoint stored on this
 * machine, anchors, all audit entries, events, and the states that lists at a ledger size show, against their ledger
 * entries, and erasures.
 * Undefined if there is no ledger yet.
 */
export async function checkLedger(services: Services, orgId: string, signedFrom = 0): Promise<LedgerCheck | undefined> {
  const problems: LedgerProblem[] = [];
  const report = (problem: LedgerProblem) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  };
  const logs = await services.database.withOrg(orgId, (tx) =>
    tx.query<LogHead & { closed: boolean; [key: string]: unknown }>({
      name: 'ledger.check-logs',
      text: `select epoch, origin, size, root, closed_at is not null as closed, halt_reason as halted from ledger_log
             where org_id = $1 order by epoch`,
      values: [orgId],
    }),
  );
  const open = logs.find(({ closed }) => !closed);
  await checkStoredCheckpoint(services, orgId, open, report);
  if (open === undefined) return problems.length === 0 ? undefined : { epoch: 0, size: 0, problems };
  for (const log of logs)
    await checkTree(services.database, orgId, { log, signedFrom: log.closed ? 0 : signedFrom, report });
  await checkHeadSize(services, orgId, logs, report);
  for (const log of logs) await checkAnchors(services, orgId, log, report);
  await checkAudit(services, orgId, report);
  await checkEvents(services, orgId, report);
  await checkErasures(services, orgId, report);
  await checkFindingStates(services, orgId, report);
  await checkRecordedStates(services, orgId, report);
  return { epoch: open.epoch, size: open.size, problems };
}

async function checkStoredCheckpoint(
  { ledger, database }: Services,
  orgId: string,
  head: LogHead | undefined,
  report: (problem: LedgerProblem) => void,
): Promise<void> {
  try {
    const stored = await readStoredCheckpoint(ledger, orgId);
    if (!stored) return;
    if (!head)
      throw new LedgerContradiction(`This server signed ${stored.size} leaves, and the database has no ledger`);
    await database.withOrg(orgId, (tx) =>
      refuseContradiction(tileReaderOf(tx, orgId, head.epoch), head, undefined, stored),
    );
  } catch (error) {
    report({ what: 'outside', epoch: head?.epoch ?? 0, index: head?.size ?? null, message: (error as Error).message });
  }
}

/** Reports a head that is smaller than a signed checkpoint. */
async function checkHeadSize(
  { database }: Services,
  orgId: string,
  logs: readonly LogHead[],
  report: (problem: LedgerProblem) => void,
): Promise<void> {
  for (const { epoch, size } of logs) {
    const [row] = await database.withOrg(orgId, (tx) =>
      tx.query<{ signed: number | null; now: number }>({
        name: 'ledger.check-head-size',
        text: `select (select max(size) from ledger_checkpoint where org_id = $1 and epoch = $2) as signed,
                 (select size from ledger_log where org_id = $1 and epoch = $2) as now`,
        values: [orgId, epoch],
      }),
    );
    if (row && row.signed !== null && row.signed > row.now) {
      report({
        what: 'head',
        epoch,
        index: size,
        message: `the head is at ${size} leaves, and ${row.signed} were signed`,
      });
    }
  }
}
