import { enableRepositories } from '@sightline/contract/sources/repositories.ts';
import { dateOf, dayMs, type GeneratedHistory } from './generated-history.ts';
import { waitUntilProcessed } from './report-changes.ts';

/** Disables the repository and enables it 30 seconds later, as an owner, on each of the last `count` days. */
export async function pauseRepositoryOnDays(history: GeneratedHistory, count: number): Promise<void> {
  const { on, server, org, repositoryId, toggleClock } = history;
  const call = server.as(org.owner, org.id);
  for (let days = count; days > 0; days -= 1) {
    const noon = Date.parse(`${dateOf(Date.now() - days * dayMs)}T12:00:00.000Z`);
    for (const [tracked, at] of [
      [false, noon],
      [true, noon + 30_000],
    ] as const) {
      await toggleClock.set(new Date(at));
      await call(enableRepositories, {
        body: { providerRepos: { [on]: { acme: [{ id: repositoryId, tracked }] } } },
      });
    }
  }
  await toggleClock.set(null);
  await waitUntilProcessed(history);
}
