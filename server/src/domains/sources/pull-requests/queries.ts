import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { Provider } from '@sightline/contract/core/providers.ts';
import { attributionConfidences } from '@sightline/contract/sources/attribution.ts';
import type {
  getPullRequestsMeta,
  listOwnPullRequests,
  OwnPullRequest,
  PullRequest,
  PullRequestsQuery,
} from '@sightline/contract/sources/pull-requests.ts';
import type { AgentChangeRow, CheckRun } from '@sightline/evidence/controls/change-rows.ts';
import type { Fact } from '@sightline/evidence/controls/facts.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';
import { readableRepositoryIds } from '../repositories/queries.ts';

// The latest decision of each reviewer. A comment does not revoke an approval.
const reviewers = sql<unknown>`(
  select coalesce(json_agg(json_build_object('login', r.login, 'name', coalesce(d.name, r.login), 'picture', d.picture, 'state', r.state, 'at', to_char(r.submitted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'afterLastPush', r.sha is not distinct from p.head_sha) order by r.submitted_at), '[]')
  from (select distinct on (login) login, person_id, state, submitted_at, sha from review v
    where v.org_id = p.org_id and v.repository_id = p.repository_id and v.number = p.number and v.state <> 'pending'
    order by login, (v.state = 'commented'), submitted_at desc) r
  left join lateral person_display(p.org_id, r.person_id) d on true)`;

const author = sql<unknown>`(
  select json_build_object('name', d.name, 'picture', d.picture) from person_display(p.org_id, p.author_person) d)`;

// The current member of the author.
const member = sql<unknown>`(
  select json_build_object('user_id', a.id, 'name', a.name)
  from identity i join member m on m.org_id = i.org_id and m.account_id::text = i.value join account a on a.id = m.account_id
  where i.org_id = p.org_id and i.person_id = p.author_person and i.kind = 'account' limit 1)`;

// Parts of the change record of the merge; null before the merge.
const recorded = sql<unknown>`(
  select json_build_object('checks', c.parts -> 'checks', 'ai', c.parts -> 'ai') from change_record c
  where c.org_id = p.org_id and c.repository_id = p.repository_id and c.number = p.number
  order by c.version desc limit 1)`;

const columns = [
  'number',
  'title',
  'status',
  'draft',
  'created_at',
  'updated_at',
  'merged_at',
  'closed_at',
  'author_login',
  'author_avatar',
  'author_is_agent',
  'url',
  'base_ref',
  'head_ref',
  'head_sha',
  'additions',
  'deletions',
  'context_id',
] as const;

const select = (tx: Tx, orgId: string, repositoryId: string) =>
  tx.db.selectFrom('pull_request as p').where('p.org_id', '=', orgId).where('p.repository_id', '=', repositoryId);

/** One page of the pull requests of a repository. */
export async function listPullRequestsOf(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  query: PullRequestsQuery,
): Promise<Page<PullRequest[]>> {
  const direction = query.sort === 'date-desc' ? 'desc' : 'asc';
  const found = await fetchPage(
    select(tx, orgId, repositoryId)
      .$if(query.statuses.length > 0, (q) => q.where('status', 'in', query.statuses))
      .$if(query.authors.length > 0, (q) => q.where('author_login', 'in', query.authors))
      .$if(query.search !== '', (q) => q.where((eb) => containsText(eb.ref('title'), query.search)))
      .select([...columns])
      .select([reviewers.as('reviewers'), author.as('author'), member.as('member'), recorded.as('recorded')])
      .orderBy('created_at', direction)
      .orderBy('number', direction),
    query,
  );
  return { total: found.total, rows: found.rows.map(pullRequestOf) };
}

/** One page of the pull requests that a member opened, in the repositories that they may see. */
export async function listPullRequestsOfPerson(
  tx: Tx,
  actor: Actor,
  query: z.output<typeof listOwnPullRequests.query>,
): Promise<Page<OwnPullRequest[]>> {
  const { orgId, personId, formerIds } = actor;
  const persons = [personId, ...formerIds];
  const contributed = await tx.query<{ id: string }>({
    name: 'pull-requests.repositories-of-person',
    text: 'select distinct repository_id as id from pull_request where org_id = $1 and author_person = any($2::uuid[])',
    values: [orgId, persons],
  });
  const repositoryIds = await readableRepositoryIds(
    tx,
    actor,
    contributed.map(({ id }) => id),
  );
  const direction = query.sort === 'date-desc' ? 'desc' : 'asc';
  const found = await fetchPage(
    tx.db
      .selectFrom('pull_request as p')
      .innerJoin('repository as r', (join) =>
        join.onRef('r.org_id', '=', 'p.org_id').onRef('r.id', '=', 'p.repository_id'),
      )
      .where('p.org_id', '=', orgId)
      .where(
        sql<boolean>`p.author_person = any(${persons}::uuid[]) and p.repository_id = any(${repositoryIds}::uuid[])`,
      )
      .$if(query.statuses.length > 0, (q) => q.where('p.status', 'in', query.statuses))
      .$if(query.search !== '', (q) => q.where((eb) => containsText(eb.ref('p.title'), query.search)))
      .select(columns.map((column) => `p.${column}` as const))
      .select([reviewers.as('reviewers'), author.as('author'), member.as('member'), recorded.as('recorded')])
      .select(['r.id as repository_id', 'r.provider', 'r.full_name'])
      .orderBy('p.created_at', direction)
      .orderBy('p.repository_id')
      .orderBy('p.number', direction),
    query,
  );
  return {
    total: found.total,
    rows: found.rows.map((row) => ({
      ...pullRequestOf(row),
      repository: { id: row.repository_id, provider: row.provider as Provider, fullName: row.full_name },
    })),
  };
}

/** One pull request; 404 for an unknown number. */
export async function findPullRequest(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  number: number,
): Promise<PullRequest> {
  const row = await select(tx, orgId, repositoryId)
    .where('number', '=', number)
    .select([...columns])
    .select([reviewers.as('reviewers'), author.as('author'), member.as('member'), recorded.as('recorded')])
    .executeTakeFirst();
  if (!row) throw NotFound('Pull request');
  return pullRequestOf(row);
}

interface PullRequestRow {
  number: number;
  title: string;
  status: string;
  draft: boolean;
  created_at: Date;
  updated_at: Date;
  merged_at: Date | null;
  closed_at: Date | null;
  author_login: string;
  author_avatar: string | null;
  author_is_agent: boolean;
  url: string;
  base_ref: string;
  head_ref: string;
  head_sha: string;
  additions: number | null;
  deletions: number | null;
  context_id: string;
  reviewers: unknown;
  author: unknown;
  member: unknown;
  recorded: unknown;
}

const parsed = <Value>(json: unknown): Value | null => (json === null ? null : (JSON.parse(String(json)) as Value));

const displayOf = (json: unknown, login: string, avatar: string | null) => {
  const display = parsed<{ name: string | null; picture: string | null }>(json);
  return { authorLogin: login, name: display?.name ?? login, avatarUrl: display?.picture ?? avatar };
};

const pullRequestOf = (row: PullRequestRow): PullRequest => ({
  id: String(row.number),
  number: row.number,
  title: row.title,
  status: row.status as PullRequest['status'],
  draft: row.draft,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  mergedAt: row.merged_at?.toISOString() ?? null,
  closedAt: row.closed_at?.toISOString() ?? null,
  author: {
    ...displayOf(row.author, row.author_login, row.author_avatar),
    isAgent: row.author_is_agent,
    member: parsed<PullRequest['author']['member']>(row.member),
  },
  url: row.url,
  baseRef: row.base_ref,
  headRef: row.head_ref,
  headSha: row.head_sha,
  additions: row.additions,
  deletions: row.deletions,
  reviewers: JSON.parse(String(row.reviewers)) as PullRequest['reviewers'],
  ...recordedOf(parsed<RecordParts>(row.recorded), row.additions),
  exploreContext: { contextId: row.context_id },
});

/** Parts of a change record in the format of the ledger. */
interface RecordParts {
  checks: Fact<readonly CheckRun[]>;
  ai: AgentChangeRow['attributions'];
}

function recordedOf(recorded: RecordParts | null, additions: number | null): Pick<PullRequest, 'checks' | 'aiShare'> {
  const { checks, ai } = recorded ?? {};
  const lines = ai && ai.state !== 'missing' ? ai.value : [];
  const written = lines.reduce((sum, each) => sum + each.lines, 0);
  const confidence = attributionConfidences.findLast((one) => lines.some((each) => each.confidence === one));
  return {
    checks:
      checks && checks.state !== 'missing'
        ? { total: checks.value.length, failed: checks.value.filter(({ conclusion }) => isFailed(conclusion)).length }
        : null,
    aiShare: confidence && additions ? { ratio: Math.min(1, written / additions), confidence } : null,
  };
}

const isFailed = (conclusion: string | null) =>
  conclusion !== null && !['success', 'neutral', 'skipped', 'stale'].includes(conclusion);

type Meta = z.output<typeof getPullRequestsMeta.response>;

/** The numbers of open and closed pull requests, and the authors, most pull requests first. */
export async function countPullRequests(tx: Tx, orgId: string, repositoryId: string): Promise<Meta> {
  const counts = await select(tx, orgId, repositoryId)
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('status', '=', 'in-progress').as('open'),
      eb.fn.countAll<number>().filterWhere('status', '<>', 'in-progress').as('closed'),
    ])
    .executeTakeFirstOrThrow();
  const authors = await tx.db
    .selectFrom(
      select(tx, orgId, repositoryId)
        .select((eb) => [
          'author_login',
          eb.fn.max('author_avatar').as('avatar'),
          sql<string>`(array_agg(author_person))[1]`.as('person'),
          eb.fn.countAll<number>().as('count'),
        ])
        .groupBy('author_login')
        .orderBy('count', 'desc')
        .orderBy('author_login')
        .limit(500)
        .as('a'),
    )
    .select(['a.author_login', 'a.avatar', 'a.count'])
    .select(
      sql<unknown>`(select json_build_object('name', d.name, 'picture', d.picture)
        from person_display(${orgId}, a.person) d)`.as('author'),
    )
    .orderBy('a.count', 'desc')
    .orderBy('a.author_login')
    .execute();
  return {
    count: { open: counts.open, closed: counts.closed },
    authors: authors.map((row) => ({ ...displayOf(row.author, row.author_login, row.avatar), count: row.count })),
  };
}
