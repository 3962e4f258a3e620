import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { Contributor, ContributorsQuery } from '@sightline/contract/sources/contributors.ts';
import { type ExtensionStatus, neverConnected } from '@sightline/contract/tools/presence.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';
import { personGroupsOf, personLinksOf } from './groups.ts';
import { type MergedContributor, mergedContributorsOf } from './merged-rows.ts';

declare module '#core/services.ts' {
  interface Services {
    /** The extension status of members by account; accounts that never connected are absent. */
    extensionStatuses: (tx: Tx, orgId: string, accountIds: readonly string[]) => Promise<Map<string, ExtensionStatus>>;
  }
}

const sorts = {
  'date-desc': ['last_commit', 'desc'],
  'date-asc': ['last_commit', 'asc'],
  'name-asc': ['name', 'asc'],
  'name-desc': ['name', 'desc'],
} as const satisfies Record<ContributorsQuery['sort'], readonly ['last_commit' | 'name', 'asc' | 'desc']>;

const notShown = {
  browser_status: null,
  browser_timestamp: null,
  browser_type: null,
  ide_status: null,
  ide_timestamp: null,
  ide_type: null,
};

const maxAliases = 50;

/** One page of the contributors of a repository, with the extension statuses that the actor may read. */
export async function listContributorsOf(
  { extensionStatuses }: Pick<Services, 'extensionStatuses'>,
  tx: Tx,
  actor: Actor,
  { repositoryId, query }: { repositoryId: string; query: ContributorsQuery },
): Promise<Page<Contributor[]>> {
  const { orgId } = actor;
  const [column, direction] = sorts[query.sort];
  const merged = await mergedContributorsOf(tx, orgId, repositoryId);
  const found = await fetchPage(
    tx.db
      .selectFrom(contributorsSql(orgId, repositoryId, merged).as('c'))
      .$if(query.search !== '', (q) =>
        q.where((eb) =>
          eb.or([
            containsText(eb.ref('c.name'), query.search),
            containsText(eb.ref('c.email'), query.search),
            containsText(eb.fn.coalesce('c.login', sql<string>`''`), query.search),
            containsText(eb.ref('c.merged_names'), query.search),
            containsText(shownName(orgId), query.search),
          ]),
        ),
      )
      .select(['c.person_id', 'c.name', 'c.email', 'c.login', 'c.commits', 'c.last_commit', 'c.merged'])
      .select([
        sql<
          string | null
        >`(select i.value from identity i where i.org_id = ${orgId} and i.person_id = c.person_id and i.kind = 'account' limit 1)`.as(
          'account_id',
        ),
        sql<{ name: string; picture: string | null } | null>`(
          select jsonb_build_object('name', coalesce(d.name, c.name), 'picture', d.picture)
          from person_display(${orgId}, c.person_id) d)`.as('display'),
        sql<string[]>`array(
          select n.name from identity i cross join lateral (values (i.display), (case when i.kind <> 'account' then i.value end)) n(name)
          where i.org_id = ${orgId} and i.person_id = c.person_id and n.name is not null
            and n.name <> all(array[c.name, c.email, coalesce(c.login, '')])
          group by n.name order by n.name limit ${maxAliases})`.as('aliases'),
      ])
      .orderBy(column === 'name' ? shownName(orgId) : column, direction)
      .orderBy('c.person_id'),
    query,
  );
  const seesAll = actor.reach('read:org-members') !== undefined;
  const sees = (account: string | null) => seesAll || account === actor.accountId;
  const statuses = await extensionStatuses(
    tx,
    orgId,
    found.rows.flatMap(({ account_id: account }) => (account !== null && sees(account) ? account : [])),
  );
  return {
    total: found.total,
    rows: found.rows.map((row) => ({
      id: row.person_id,
      user_id: row.account_id,
      name: nameOf(row),
      email: row.email,
      picture: row.display?.picture ?? null,
      githubName: row.login,
      aliases: [...new Set([row.name, ...row.aliases])].filter((alias) => alias !== nameOf(row)),
      merged: row.merged,
      commits: row.commits,
      lastCommit: row.last_commit.toISOString(),
      ...(sees(row.account_id) ? (statuses.get(row.account_id ?? '') ?? neverConnected) : notShown),
    })),
  };
}

/** The same name as `nameOf` for filters and orders, which read all contributors of a repository: without pictures. */
const shownName = (orgId: string) => sql<string>`coalesce(
  (select a.name from identity n join account a on a.id = n.value::uuid
    where n.org_id = ${orgId} and n.person_id = c.person_id and n.kind = 'account' order by n.value limit 1),
  (select k.name from committer k where k.org_id = ${orgId} and k.person_id = c.person_id),
  c.name)`;

/** The name of the account, if the person has one, otherwise that of the commits. */
const nameOf = (row: { name: string; display: { name: string } | null }): string => row.display?.name ?? row.name;

/** For each of the persons that is linked to others of them: those others, sorted. */
export async function linkedPersonsIn(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  persons: readonly string[],
): Promise<Map<string, string[]>> {
  const requested = new Set(persons);
  if (requested.size < 2) return new Map();
  const groups = personGroupsOf(await personLinksOf(tx, orgId, repositoryId));
  return new Map(
    [...requested].flatMap((id) => {
      const others = (groups.get(id) ?? []).filter((other) => other !== id && requested.has(other));
      return others.length === 0 ? [] : [[id, others] as const];
    }),
  );
}

interface ContributorRow {
  person_id: string;
  name: string;
  email: string;
  login: string | null;
  commits: number;
  last_commit: Date;
  merged: Contributor['merged'];
  /** Search text of the contributors merged into this one. */
  merged_names: string;
}

/** The contributors of a repository; merged ones are added to the contributor that shows them. */
function contributorsSql(orgId: string, repositoryId: string, merged: readonly MergedContributor[]) {
  // Without the join, PostgreSQL can sort by an index.
  if (merged.length === 0) {
    return sql<ContributorRow>`(
      select person_id, name, email, login, commits, last_commit, '[]'::jsonb as merged, '' as merged_names
      from contributor where org_id = ${orgId} and repository_id = ${repositoryId})`;
  }
  const hidden = merged.map(({ person }) => person);
  return sql<ContributorRow>`(
    select c.person_id, c.name, c.email, c.login, c.commits + coalesce(m.commits, 0)::int as commits,
      greatest(c.last_commit, m.last_commit) as last_commit, coalesce(m.merged, '[]') as merged, coalesce(m.names, '') as merged_names
    from contributor c
    left join lateral (
      select sum(o.commits) as commits, max(o.last_commit) as last_commit,
        string_agg(concat_ws(' ', o.name, o.email, o.login), ' ') as names,
        jsonb_agg(jsonb_build_object('id', o.person_id, 'name', o.name, 'email', o.email, 'githubName', o.login,
          'commits', o.commits, 'source', h.source) order by o.commits desc, o.person_id) as merged
      from unnest(${hidden}::uuid[], ${merged.map(({ shown }) => shown)}::uuid[], ${merged.map(({ source }) => source)}::text[])
        as h(person_id, shown, source)
      join contributor o on o.org_id = ${orgId} and o.repository_id = ${repositoryId} and o.person_id = h.person_id
      where h.shown = c.person_id) m on true
    where c.org_id = ${orgId} and c.repository_id = ${repositoryId} and c.person_id <> all(${hidden}::uuid[]))`;
}
