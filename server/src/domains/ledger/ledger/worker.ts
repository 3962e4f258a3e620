import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerLog } from '#core/ledger-log.ts';
import { movedToOf } from '#database/database.ts';
import { signHeadWhenDue } from './checkpoints.ts';
import { entriesPerTransaction, sequenceEntries } from './sequence.ts';

/** The pause without pending entries, in milliseconds. */
const pauseMs = 500;
/** Maximum batches of one organization before the next organization. */
const batchesPerRound = 20;

/** Sequences entries until the process stops. Any number of processes may run it concurrently. */
export function startSequencer(ledger: LedgerLog): { stop: () => Promise<void> } {
  const ending = new AbortController();
  const { signal } = ending;
  const running = (async () => {
    while (!signal.aborted) {
      const more = await round(ledger, signal).catch((error: Error) => {
        ledger.log.warn({ err: error }, 'the ledger sequencer failed');
        return false;
      });
      if (!more) await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    stop: () => {
      ending.abort();
      return running;
    },
  };
}

/** Processes every organization with pending work once. Returns whether more work remains. */
async function round(ledger: LedgerLog, signal: AbortSignal): Promise<boolean> {
  const { rows } = await ledger.database.pool.query<{ id: string }>('select orgs_with_ledger_work() as id');
  let more = false;
  for (const { id } of rows) {
    if (signal.aborted) break;
    try {
      more = (await drain(ledger, id)) || more;
      await signHeadWhenDue(ledger, id);
    } catch (error) {
      // Its ledger continues where it moved to.
      if (movedToOf(error) !== undefined) continue;
      // A ledger that the sequencer cannot continue must not block those of other organizations.
      ledger.log.warn({ orgId: id, err: error }, 'the ledger sequencer failed');
    }
  }
  return more;
}

/** Sequences entries of one organization. Returns whether entries remain. */
async function drain(ledger: LedgerLog, orgId: string): Promise<boolean> {
  let placed = 0;
  let more = true;
  for (let done = 0; done < batchesPerRound && more; done += 1) {
    const count = await sequenceEntries(ledger, orgId);
    placed += count;
    more = count === entriesPerTransaction;
  }
  if (placed > 0) await ledger.sequenced(orgId);
  return more;
}
