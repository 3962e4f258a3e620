import { sql } from 'kysely';
import type { Services } from '#core/services.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'identity.unite': { orgId: string; from: string; into: string };
  }
}

/** Hands what one person did to the one they turned out to be. Running it again changes nothing. */
export const handOver = ({ database, realtime }: Services, orgId: string, from: string, into: string): Promise<void> =>
  database.withOrg(orgId, async (tx) => {
    for (const [table, column] of [
      ['event', 'actor'],
      ['commit', 'author_person'],
      ['pull_request', 'author_person'],
    ] as const) {
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${into} where org_id = ${orgId} and ${sql.ref(column)} = ${from}`.execute(
        tx.db,
      );
    }
    await sql`
      with gone as (delete from contributor where org_id = ${orgId} and person_id = ${from} returning *)
      insert into contributor as c (org_id, repository_id, person_id, name, email, login, commits, last_commit)
      select org_id, repository_id, ${into}, name, email, login, commits, last_commit from gone
      on conflict (org_id, repository_id, person_id) do update set
        commits = c.commits + excluded.commits,
        last_commit = greatest(c.last_commit, excluded.last_commit),
        login = coalesce(c.login, excluded.login)`.execute(tx.db);
    tx.afterCommit(() => realtime.tell(orgId, 'orgRepos', {}));
  });
