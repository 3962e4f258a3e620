import { HostLimited } from '#providers/code-host.ts';
import { gapOf, type ImportGap } from './gaps.ts';
import { Stopped } from './stopped.ts';
import type { ImportWork } from './work.ts';

// GitHub asks for few requests at a time; more gains nothing once the server is the limit.
const atOnce = 6;
// Where more items than this fail, and most of all, the host is at fault and not the items.
const maxFailing = 3;

interface Each<Item, Result> {
  kind: ImportGap['kind'];
  nameOf: (item: Item) => string;
  task: (item: Item) => Promise<Result>;
}

/** What was imported. `interruption` is what ended it early: a limit, a failing database, a host that fails on most items. */
interface BatchOutcome<Result> {
  results: Result[];
  gaps: ImportGap[];
  imported: Pick<ImportGap, 'kind' | 'item'>[];
  interruption?: unknown;
}

/**
 * Imports items, a few at a time. One that the host fails on is a gap, and keeps no other out. An interruption is answered and
 * not thrown, so that callers save what was imported before: each item may have cost a request.
 */
export async function importEach<Item, Result>(
  work: ImportWork,
  items: readonly Item[],
  { kind, nameOf, task }: Each<Item, Result>,
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
      failures.push({ gap: gapOf(work.services, work.job, about, error), error });
    }
  });
  const passing = failures.filter(({ gap }) => !gap.isLasting);
  const isHostFailing = passing.length > maxFailing && passing.length > items.length / 2;
  const interruption = stop ?? (isHostFailing ? passing[0]?.error : undefined);
  const gaps = failures.filter(({ gap }) => gap.isLasting || !isHostFailing).map(({ gap }) => gap);
  return { results, gaps, imported, ...(interruption !== undefined && { interruption }) };
}

/** Runs `task` over all items, a few at a time; the first failure stops the rest. Answers what stopped it. */
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
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (failures.length > 0) return failures.find((failure) => failure instanceof HostLimited) ?? failures[0];
  return stopping.aborted ? new Stopped('The server stops') : undefined;
}
