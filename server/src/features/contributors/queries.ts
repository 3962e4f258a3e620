import type { Contributor, ContributorsQuery } from '@sightline/contract/contributors.ts';
import type { Page } from '@sightline/contract/endpoint.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { contains, page } from '#database/page.ts';
import { statusesOf, unheard } from '../presence/queries.ts';

const sorts = {
  'date-desc': ['last_commit', 'desc'],
  'date-asc': ['last_commit', 'asc'],
  'name-asc': ['c.name', 'asc'],
  'name-desc': ['c.name', 'desc'],
} as const satisfies Record<ContributorsQuery['sort'], readonly ['last_commit' | 'c.name', 'asc' | 'desc']>;

const notShown = {
  browser_status: null,
  browser_timestamp: null,
  browser_type: null,
  ide_status: null,
  ide_timestamp: null,
  ide_type: null,
};

const maxAliases = 50;

/** Who committed to a repository, one page of them; how they are connected as far as the actor may know. */
export async function listContributorsOf(
  tx: Tx,
  actor: Actor,
  repositoryId: string,
  query: ContributorsQuery,
): Promise<Page<Contributor[]>> {
  const { orgId } = actor;
  const [column, direction] = sorts[query.sort];
  const found = await page(
    tx.db
      .selectFrom('contributor as c')
      .where('c.org_id', '=', orgId)
      .where('c.repository_id', '=', repositoryId)
      .$if(query.search !== '', (q) =>
        q.where((eb) =>
          eb.or([
            contains(eb.ref('c.name'), query.search),
            contains(eb.ref('c.email'), query.search),
            contains(eb.fn.coalesce('c.login', sql<string>`''`), query.search),
          ]),
        ),
      )
      .select(['c.person_id', 'c.name', 'c.email', 'c.login', 'c.commits', 'c.last_commit'])
      .select([
        sql<
          string | null
        >`(select i.value from identity i where i.org_id = c.org_id and i.person_id = c.person_id and i.kind = 'account' limit 1)`.as(
          'account_id',
        ),
        sql<
          string | null
        >`(select i.picture from identity i where i.org_id = c.org_id and i.person_id = c.person_id and i.picture is not null limit 1)`.as(
          'picture',
        ),
        sql<string[]>`array(
          select n.name from identity i cross join lateral (values (i.display), (case when i.kind <> 'account' then i.value end)) n(name)
          where i.org_id = c.org_id and i.person_id = c.person_id and n.name is not null
            and n.name <> all(array[c.name, c.email, coalesce(c.login, '')])
          group by n.name order by n.name limit ${maxAliases})`.as('aliases'),
      ])
      .orderBy(column, direction)
      .orderBy('c.person_id'),
    query,
  );
  const seesAll = actor.reach('read:org-members') !== undefined;
  const sees = (account: string | null) => seesAll || account === actor.accountId;
  const statuses = await statusesOf(
    tx,
    orgId,
    found.rows.flatMap(({ account_id: account }) => (account !== null && sees(account) ? account : [])),
  );
  return {
    total: found.total,
    rows: found.rows.map((row) => ({
      id: row.person_id,
      user_id: row.account_id,
      name: row.name,
      email: row.email,
      picture: row.picture,
      githubName: row.login,
      aliases: row.aliases,
      commits: row.commits,
      lastCommit: row.last_commit.toISOString(),
      ...(sees(row.account_id) ? (statuses.get(row.account_id ?? '') ?? unheard) : notShown),
    })),
  };
}
