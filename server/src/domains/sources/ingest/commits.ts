import { factId } from '#core/ids.ts';
import type { PersonClaim } from '#core/people.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostCommit, HostPerson } from '../../../providers/host-facts.ts';
import type { NewEvent } from '../../timeline/events/new-event.ts';
import { storeAgentShares } from '../attribution/commands.ts';
import { agentsOfCommits } from '../attribution/queries.ts';
import type { IngestRepository } from './target.ts';
import { commitEvent, fileFieldsOf } from './timeline-events.ts';
import { trailersOf } from './trailers.ts';

interface CommitsWritten {
  /** The number of new commits. */
  added: number;
  events: NewEvent[];
  /** Commits that were stored without files, with the search fields that their events now have. */
  completed: { id: string; fields: NonNullable<NewEvent['fields']> }[];
}

/** Stores commits and updates contributors. */
export async function writeCommits(
  services: Services,
  tx: Tx,
  orgId: string,
  { target, commits, branch }: { target: IngestRepository; commits: readonly HostCommit[]; branch: string },
): Promise<CommitsWritten> {
  const authors = await services.people.resolve(
    tx,
    orgId,
    commits.map(({ author }) => claimOf(author, target.provider)),
  );
  const rows = commits.map((commit, index) => rowOf(commit, authors[index] ?? '', branch));
  const written = await tx.query<{ sha: string; fresh: boolean }>({
    name: 'ingest.commits',
    text: commitsSql,
    values: [orgId, target.id, JSON.stringify(rows)],
  });
  const fresh = new Map(written.map((row) => [row.sha, row.fresh]));
  // Every commit, not only new ones: this adds events lost in a crash, and does not duplicate existing ones.
  const agents = await agentsOfCommits(
    tx,
    orgId,
    target.id,
    commits.map(({ sha }) => sha),
  );
  await storeAgentShares(
    tx,
    orgId,
    target.id,
    commits.flatMap(({ sha, changes }) => (changes && agents.has(sha) ? sha : [])),
  );
  const events = commits.map((commit, index) =>
    commitEvent(commit, { person: authors[index] ?? '', branch, target, attributed: agents.get(commit.sha) }),
  );
  const completed = commits.flatMap(({ sha, changes }) =>
    fresh.get(sha) === false && changes
      ? [{ id: factId('commit', target.id, sha), fields: fileFieldsOf(changes.files) }]
      : [],
  );
  return { added: written.filter((row) => row.fresh).length, events, completed };
}

const claimOf = (person: HostPerson, provider: IngestRepository['provider']): PersonClaim => ({
  names: [
    ...(person.login === null
      ? []
      : [{ kind: provider, value: person.id ?? person.login, hostId: person.hostId } as const]),
    ...(person.email === '' && person.login !== null
      ? []
      : [{ kind: 'email', value: person.email || `${person.name}@unknown` } as const]),
  ],
  display: person.name,
  picture: person.avatarUrl,
  source: provider,
});

function rowOf(commit: HostCommit, person: string, branch: string): Record<string, unknown> {
  return {
    sha: commit.sha,
    author_person: person,
    author_name: commit.author.name,
    author_email: commit.author.email,
    author_login: commit.author.login,
    authored_at: commit.authoredAt,
    committer_name: commit.committer.name,
    committer_email: commit.committer.email,
    committer_login: commit.committer.login,
    committed_at: commit.committedAt,
    message: commit.message,
    branch,
    parents: commit.parents,
    trailers: trailersOf(commit.message),
    additions: commit.changes?.additions ?? null,
    deletions: commit.changes?.deletions ?? null,
    files: commit.changes?.files ?? null,
  };
}

// Completes a commit of a push payload when the response of the host contains parents or changes.
const commitsSql = `
  with input as (
    select * from jsonb_to_recordset($3::jsonb) as x(
      sha text, author_person uuid, author_name text, author_email text, author_login text, authored_at timestamptz,
      committer_name text, committer_email text, committer_login text, committed_at timestamptz, message text,
      branch text, parents text[], trailers jsonb, additions int, deletions int, files jsonb)
  ), incomplete as materialized (
    select c.sha from commit c where c.org_id = $1 and c.repository_id = $2 and c.files is null
      and c.sha in (select sha from input where jsonb_array_length(files) > 0) order by c.sha for update
  ), written as (
    insert into commit as c (org_id, repository_id, sha, author_person, author_name, author_email, author_login, authored_at,
      committer_name, committer_email, committer_login, committed_at, message, branch, parents, trailers, additions, deletions, files)
    select $1, $2, sha, author_person, author_name, author_email, author_login, authored_at, committer_name, committer_email,
      committer_login, committed_at, message, branch, parents, trailers, additions, deletions, files
    -- Counted, so that they are read and locked before the insert.
    from input where (select count(*) from incomplete) >= 0 order by sha
    on conflict (org_id, repository_id, sha) do update set
      parents = coalesce(c.parents, excluded.parents),
      files = coalesce(c.files, excluded.files),
      additions = coalesce(c.additions, excluded.additions),
      deletions = coalesce(c.deletions, excluded.deletions)
      where (c.parents is null and excluded.parents is not null) or (c.files is null and excluded.files is not null)
    returning sha, author_person, author_name, author_email, author_login, committed_at, (xmax = 0) as fresh
  ), fresh as (select * from written where fresh), contributors as (
    insert into contributor as c (org_id, repository_id, person_id, name, email, login, commits, last_commit)
    select $1, $2, author_person, (array_agg(author_name order by committed_at desc))[1],
      (array_agg(author_email order by committed_at desc))[1],
      (array_agg(author_login order by committed_at desc) filter (where author_login is not null))[1], count(*), max(committed_at)
    from fresh group by author_person order by author_person
    on conflict (org_id, repository_id, person_id) do update set
      commits = c.commits + excluded.commits,
      last_commit = greatest(c.last_commit, excluded.last_commit),
      name = case when excluded.last_commit >= c.last_commit then excluded.name else c.name end,
      email = case when excluded.last_commit >= c.last_commit then excluded.email else c.email end,
      login = coalesce(c.login, excluded.login)
  ), changed as (
    update repository set last_change = greatest(last_change, (select max(committed_at) from fresh))
    where org_id = $1 and id = $2 and exists (select from fresh)
  )
  select sha, true as fresh from fresh union all select sha, false from incomplete`;
