import { enableRepositories } from '@sightline/contract/sources/repositories.ts';
import pg from 'pg';
import { superuserUrl } from '#testing/server.ts';
import { dateOf, dayMs, type GeneratedHistory } from './generated-history.ts';
import { waitUntilProcessed } from './report-changes.ts';

/** Disables the repository and enables it 30 seconds later, as an owner, on each of the last `count` days. */
export async function pauseRepositoryOnDays(history: GeneratedHistory, count: number): Promise<void> {
  const { on, server, org, repositoryId } = history;
  const call = server.as(org.owner, org.id);
  const superuser = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await superuser.connect();
  for (let days = count; days > 0; days -= 1) {
    const noon = Date.parse(`${dateOf(Date.now() - days * dayMs)}T12:00:00.000Z`);
    for (const [tracked, at] of [
      [false, noon],
      [true, noon + 30_000],
    ] as const) {
      await call(enableRepositories, {
        body: { providerRepos: { [on]: { acme: [{ id: repositoryId, tracked }] } } },
      });
      await superuser.query(
        `update audit_event set at = $2 where org_id = $1 and id = (
           select id from audit_event where org_id = $1 and action = $3 order by id desc limit 1)`,
        [org.id, new Date(at), tracked ? 'repository.enabled' : 'repository.disabled'],
      );
    }
  }
  await superuser.end();
  await waitUntilProcessed(history);
}
