import { sessionReferencesIn } from '#core/agents.ts';
import type { Tx } from '#database/database.ts';
import type { HostCommit } from '../../../../providers/host-facts.ts';
import type { AttributionClaim } from '../attribution/attribution-claim.ts';
import { type ChangeParts, listFrom, personIdsOf } from '../parts.ts';

/** An agent that the commits, notes or traces of a change declare. */
export interface DeclaredAgent {
  agent: string;
  /** Hashes of the IDs of its sessions. */
  keys: readonly string[];
  /** The models that declarations name, and whether every commit of the agent has one that does. */
  models: readonly string[];
  areModelsKnown: boolean;
}

/** What joins agent sessions to a change. */
export interface ChangeWork {
  changeId: string;
  repositoryId: string;
  /** When the work on the change began, as far as known. */
  startedAt: Date;
  mergedAt: Date;
  /** The branch of the pull request; for a direct push the branch itself. */
  branches: readonly string[];
  /** SHA of each commit. */
  commits: readonly string[];
  /** Persons who wrote the commits, by opaque ID. */
  authors: readonly string[];
  areAuthorsKnown: boolean;
  /** Whether all sources of declarations were read. */
  areDeclarationsKnown: boolean;
  declared: readonly DeclaredAgent[];
  /** Number of commit messages with links to agent sessions. */
  sessionLinks: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
// An older commit was picked from other work.
const MAX_WORK_MS = 90 * DAY_MS;
const MAX_COMMITS = 1_000;

/** Collects what joins sessions to a change, from its commits and the claims about them. */
export async function workOf(
  tx: Tx,
  {
    changeId,
    repositoryId,
    branch,
    mergedAt,
    createdAt,
    mergeSha,
    commits,
    attributed,
    parts,
  }: {
    changeId: string;
    repositoryId: string;
    branch: string;
    mergedAt: string;
    createdAt: string | null;
    mergeSha: string | null;
    commits: readonly HostCommit[];
    attributed: readonly AttributionClaim[];
    parts: Pick<ChangeParts, 'authors' | 'ai'>;
  },
): Promise<ChangeWork> {
  const merged = Date.parse(mergedAt);
  const times = [...commits.map(({ authoredAt }) => authoredAt), ...(createdAt === null ? [] : [createdAt])];
  const earliest = Math.min(merged, ...times.map((time) => Date.parse(time)).filter((time) => !Number.isNaN(time)));
  const claims = Map.groupBy(
    attributed.filter(({ confidence }) => confidence === 'declared'),
    ({ agent }) => agent,
  );
  const keyOf = await hashSessions(
    tx,
    attributed.flatMap(({ reportedSessions = [] }) => reportedSessions),
  );
  return {
    changeId,
    repositoryId,
    startedAt: new Date(Math.max(earliest, merged - MAX_WORK_MS)),
    mergedAt: new Date(merged),
    branches: branch === '' ? [] : [branch],
    commits: [...new Set([...commits.map(({ sha }) => sha), ...(mergeSha === null ? [] : [mergeSha])])].slice(
      -MAX_COMMITS,
    ),
    authors: personIdsOf(listFrom(parts.authors).filter(({ kind }) => kind !== 'agent')),
    areAuthorsKnown: parts.authors.state === 'complete',
    areDeclarationsKnown: parts.ai.state === 'complete',
    declared: [...claims].map(([agent, ofAgent]) => ({
      agent,
      keys: distinct(ofAgent.flatMap(({ reportedSessions = [] }) => reportedSessions.map(keyOf))),
      models: distinct(ofAgent.flatMap(({ model }) => model ?? [])),
      areModelsKnown: [...Map.groupBy(ofAgent, ({ commit }) => commit).values()].every((ofCommit) =>
        ofCommit.some(({ model }) => model !== null),
      ),
    })),
    sessionLinks: commits.filter(({ message }) => sessionReferencesIn(message).some(({ isLink }) => isLink)).length,
  };
}

/** The hash by which the sessions of telemetry are found. */
async function hashSessions(tx: Tx, ids: readonly string[]): Promise<(id: string) => string> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return () => '';
  const rows = await tx.query<{ id: string; key: string }>({
    name: 'changes.session-keys',
    text: 'select id, hashtextextended(id, 0)::text as key from unnest($1::text[]) as id',
    values: [distinct],
  });
  const keys = new Map(rows.map(({ id, key }) => [id, key]));
  return (id) => keys.get(id) ?? '';
}

/**
 * Stores the work of a change. Declared sessions and commits of earlier versions remain: a host that no longer returns a
 * note or a commit removes nothing. Returns what is stored now, and whether any telemetry may be joined to it.
 */
export async function saveWork(
  tx: Tx,
  orgId: string,
  work: ChangeWork,
): Promise<{ work: ChangeWork; hasTelemetry: boolean }> {
  const before = await maybeWork(tx, orgId, work.changeId);
  const declared = before ? unitedDeclarations([...before.declared, ...work.declared]) : work.declared;
  const commits = [...new Set([...(before?.commits ?? []), ...work.commits])].slice(-MAX_COMMITS);
  const startedAt = before && before.startedAt < work.startedAt ? before.startedAt : work.startedAt;
  const authors = before?.areAuthorsKnown && !work.areAuthorsKnown ? before : work;
  const united: ChangeWork = {
    ...work,
    declared,
    commits,
    startedAt,
    authors: authors.authors,
    areAuthorsKnown: authors.areAuthorsKnown,
    areDeclarationsKnown: work.areDeclarationsKnown || before?.areDeclarationsKnown === true,
  };
  const [saved] = await tx.query<{ hasTelemetry: boolean }>({
    name: 'changes.save-work',
    text: `insert into change_work (org_id, change_id, repository_id, started_at, merged_at, branches, commits, commit_keys, authors,
             are_authors_known, are_declarations_known, declared, session_keys, session_links, is_due)
           values ($1, $2, $3, $4, $5, $6::text[], $7::text[], $8::text[], $9::uuid[], $10, $11, $12::jsonb, $13::text[], $14,
             exists (select from agent_session where org_id = $1))
           on conflict (org_id, change_id) do update set started_at = excluded.started_at, merged_at = excluded.merged_at,
             branches = excluded.branches, commits = excluded.commits, commit_keys = excluded.commit_keys, authors = excluded.authors,
             are_authors_known = excluded.are_authors_known, are_declarations_known = excluded.are_declarations_known,
             declared = excluded.declared, session_keys = excluded.session_keys,
             session_links = greatest(change_work.session_links, excluded.session_links), is_due = excluded.is_due
           returning is_due as "hasTelemetry"`,
    values: [
      orgId,
      work.changeId,
      work.repositoryId,
      startedAt,
      work.mergedAt,
      work.branches,
      commits,
      [...new Set(commits.map((sha) => sha.slice(0, 7)))],
      united.authors,
      united.areAuthorsKnown,
      united.areDeclarationsKnown,
      JSON.stringify(declared),
      [...new Set(declared.flatMap(({ keys }) => keys))],
      work.sessionLinks,
    ],
  });
  return { work: united, hasTelemetry: saved?.hasTelemetry === true };
}

const unitedDeclarations = (all: readonly DeclaredAgent[]): DeclaredAgent[] =>
  [...Map.groupBy(all, ({ agent }) => agent)].map(([agent, ofAgent]) => ({
    agent,
    keys: distinct(ofAgent.flatMap(({ keys }) => keys)),
    models: distinct(ofAgent.flatMap(({ models }) => models)),
    areModelsKnown: ofAgent.every(({ areModelsKnown }) => areModelsKnown),
  }));

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted();

/** The stored work of a change; undefined if it is not recorded. */
export async function maybeWork(tx: Tx, orgId: string, changeId: string): Promise<ChangeWork | undefined> {
  const row = await tx.db
    .selectFrom('change_work')
    .where('org_id', '=', orgId)
    .where('change_id', '=', changeId)
    .selectAll()
    .executeTakeFirst();
  return (
    row && {
      changeId,
      repositoryId: row.repository_id,
      startedAt: row.started_at,
      mergedAt: row.merged_at,
      branches: row.branches,
      commits: row.commits,
      authors: row.authors,
      areAuthorsKnown: row.are_authors_known,
      areDeclarationsKnown: row.are_declarations_known,
      declared: row.declared as unknown as DeclaredAgent[],
      sessionLinks: row.session_links,
    }
  );
}

/** Forgets a direct push that belongs to a pull request, whose own reconciliation counts. */
export async function deleteWork(tx: Tx, orgId: string, changeId: string): Promise<void> {
  for (const table of ['change_work', 'reconciled_agent', 'agent_join'] as const) {
    await tx.db.deleteFrom(table).where('org_id', '=', orgId).where('change_id', '=', changeId).execute();
  }
}
