import { setTimeout as delay } from 'node:timers/promises';
import type { RepositoryListItem } from '@sightline/contract/sources/repositories.ts';
import type { RateLimitResponse } from './code-host.ts';
import type { HistoryTotals } from './histories.ts';
import type { IntakeScene } from './intake-scene.ts';

/** The clocks are the same. A wait is rounded to seconds. */
const limitToleranceMs = 1_500;

export const readRateLimits = async ({ host }: IntakeScene): Promise<RateLimitResponse[]> =>
  (await host.control<{ answers: RateLimitResponse[] }>('GET', '/rate-limit')).answers;

/** Reads the states of the API until it is stopped, and collects the false ones. */
export function sampleStates(scene: IntakeScene, initial: ReadonlyMap<string, HistoryTotals>) {
  const falseStates: string[] = [];
  let samples = 0;
  let isStopped = false;
  const sample = async () => {
    const shown = await scene.list();
    // The totals are read after the states, and rows are never deleted: a row that is missing now was missing then.
    const [stored, limits] = [await scene.stored(), await readRateLimits(scene)];
    samples += 1;
    for (const repository of shown) {
      const reason = falsehoodOf(repository, { initial, stored, limits });
      if (reason !== undefined) falseStates.push(`${repository.name}: ${reason}`);
    }
  };
  const running = (async () => {
    while (!isStopped) {
      // The server or its database may just have been killed.
      await sample().catch(() => undefined);
      await delay(1_000);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await running;
      return { samples, falseStates };
    },
  };
}

interface Truth {
  initial: ReadonlyMap<string, HistoryTotals>;
  stored: ReadonlyMap<string, HistoryTotals>;
  limits: readonly RateLimitResponse[];
}

/** Returns why the displayed state of an import is false, or undefined if it is true. */
function falsehoodOf({ name, import: shown }: RepositoryListItem, { initial, stored, limits }: Truth) {
  if (!shown) return undefined;
  const [expected, found] = [initial.get(name), stored.get(name)];
  if (shown.state === 'done' && expected) {
    const missing = expected.commits - (found?.commits ?? 0);
    if (missing > shown.missing) return `done, and ${missing} commits are missing`;
    const pulls = expected.pullRequests - (found?.pullRequests ?? 0);
    if (pulls > shown.missing) return `done, and ${pulls} pull requests are missing`;
    if (shown.missing === 0 && expected.changedFiles > (found?.changedFiles ?? 0))
      return 'done, and changed files are missing';
  }
  if (shown.state === 'rate_limited') {
    const until = Date.parse(shown.waitingUntil ?? '');
    const isReported = limits.some((limit) => Math.abs(limit.until - until) <= limitToleranceMs);
    if (!isReported) return `rate limited until ${shown.waitingUntil}, and the host did not say so`;
  }
  if (shown.state === 'failed' && shown.error === null) return 'failed without a reason';
  return undefined;
}
