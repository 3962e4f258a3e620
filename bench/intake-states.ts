import { setTimeout as delay } from 'node:timers/promises';
import type { RepositoryListItem } from '@sightline/contract/sources/repositories.ts';
import type { LimitAnswer } from './code-host.ts';
import type { HistoryTotals } from './histories.ts';
import type { IntakeScene } from './intake-scene.ts';

/** Clocks are the same here; a wait is rounded to seconds. */
const limitToleranceMs = 1_500;

export const readLimits = async ({ host }: IntakeScene): Promise<LimitAnswer[]> =>
  (await host.control<{ answers: LimitAnswer[] }>('GET', '/rate-limit')).answers;

/** Reads the states that the API shows until it is stopped, and collects those that are false. */
export function sampleStates(scene: IntakeScene, initial: ReadonlyMap<string, HistoryTotals>) {
  const falseStates: string[] = [];
  let samples = 0;
  let isStopped = false;
  const sample = async () => {
    const shown = await scene.list();
    // Read later than the states, and nothing is ever taken away: what is missing now was missing then.
    const [stored, limits] = [await scene.stored(), await readLimits(scene)];
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
  limits: readonly LimitAnswer[];
}

/** Why the state that is shown of an import is false; undefined where it is true. */
function falsehoodOf({ name, import: shown }: RepositoryListItem, { initial, stored, limits }: Truth) {
  if (!shown) return undefined;
  const [wanted, found] = [initial.get(name), stored.get(name)];
  if (shown.state === 'done' && wanted) {
    const missing = wanted.commits - (found?.commits ?? 0);
    if (missing > shown.missing) return `done, and ${missing} commits are missing`;
    const pulls = wanted.pullRequests - (found?.pullRequests ?? 0);
    if (pulls > shown.missing) return `done, and ${pulls} pull requests are missing`;
    if (shown.missing === 0 && wanted.changedFiles > (found?.changedFiles ?? 0))
      return 'done, and changed files are missing';
  }
  if (shown.state === 'rate_limited') {
    const until = Date.parse(shown.waitingUntil ?? '');
    const isSaid = limits.some((limit) => Math.abs(limit.until - until) <= limitToleranceMs);
    if (!isSaid) return `rate limited until ${shown.waitingUntil}, and the host did not say so`;
  }
  if (shown.state === 'failed' && shown.error === null) return 'failed without a reason';
  return undefined;
}
