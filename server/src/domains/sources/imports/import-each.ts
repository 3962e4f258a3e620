import { HostLimited } from '#providers/code-host.ts';
import { type ImportGap, importGapFrom } from './gaps.ts';
import { ImportStopped } from './import-stopped.ts';
import type { ImportWork } from './work.ts';

// GitHub recommends few concurrent requests, and more gain nothing once this server is the bottleneck.
const CONCURRENCY = 6;
// If more items than this and more than half fail, the host is failing and not the items.
const MAX_FAILED_ITEMS = 3;

interface ItemTask<Item, Result> {
  kind: ImportGap['kind'];
  nameOf: (item: Item) => string;
  task: (item: Item) => Promise<Result>;
}

/**
 * The imported items. `interruption` is the error that ended it early: a rate limit, the database or a failing host.
 */
interface BatchOutcome<Result> {
  results: Result[];
  gaps: ImportGap[];
  imported: Pick<ImportGap, 'kind' | 'item'>[];
  interruption?: unknown;
}

/**
 * Imports items concurrently, in a phase of an import. An item that the host fails on becomes a gap and does not block the others. Returns an
 * interruption instead of throwing it, so that callers save the items imported so far.
 */
export async function importEach<Item, Result>(
  work: ImportWork,
  items: readonly Item[],
  { kind, nameOf, task }: ItemTask<Item, Result>,
): Promise<BatchOutcome<Result>> {
  const failures: { gap: ImportGap; error: unknown }[] = [];
  const imported: { kind: ImportGap['kind']; item: string }[] = [];
  const results: Result[] = [];
  const stop = await inParallel(work.stopping, items, async (item) => {
    const about = { kind, item: nameOf(item) };
    try {
      results.push(await task(item));
      imported.push(about);
    } catch (error) {
      failures.push({ gap: importGapFrom(work.services, work.job, about, error), error });
    }
  });
  const transient = failures.filter(({ gap }) => !gap.isLasting);
  const isHostFailing = transient.length > MAX_FAILED_ITEMS && transient.length > items.length / 2;
  const interruption = stop ?? (isHostFailing ? transient[0]?.error : undefined);
  const gaps = failures.filter(({ gap }) => gap.isLasting || !isHostFailing).map(({ gap }) => gap);
  return { results, gaps, imported, ...(interruption !== undefined && { interruption }) };
}

/** Runs `task` on all items concurrently until the first failure. Returns the error that stopped it. */
async function inParallel<Item>(
  stopping: AbortSignal,
  items: readonly Item[],
  task: (item: Item) => Promise<void>,
): Promise<unknown> {
  const queue = items.values();
  let failed = false;
  const worker = async () => {
    for (const item of queue) {
      if (failed || stopping.aborted) return;
      try {
        await task(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (failures.length > 0) return failures.find((failure) => failure instanceof HostLimited) ?? failures[0];
  return stopping.aborted ? new ImportStopped('The server stops') : undefined;
}
