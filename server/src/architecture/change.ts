import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';

interface ChangeFixture {
  orgId: string;
  repositoryId: string;
  /** Occurs in all texts of the change. */
  name: string;
  commit: string;
}

const at = '2026-03-01T12:00:00.000Z';

/**
 * Inserts a direct push of a commit of the owner, with its record and branch protection. Returns the ID of the record.
 */
export async function insertChange(tx: Tx, { orgId, repositoryId, name, commit }: ChangeFixture): Promise<string> {
  const of = { org_id: orgId, repository_id: repositoryId };
  const { author_person: person } = await tx.db
    .selectFrom('commit')
    .where('org_id', '=', orgId)
    .where('sha', '=', commit)
    .select('author_person')
    .executeTakeFirstOrThrow();
  const pushId = await insertPush(tx, { ...of, person, commit });
  const protectionId = await insertProtection(tx, of);
  return insertRecord(tx, { ...of, person, commit, pushId, protectionId, name });
}

interface RepositoryKey {
  org_id: string;
  repository_id: string;
}

async function insertPush(
  tx: Tx,
  { person, commit, ...of }: RepositoryKey & { person: string; commit: string },
): Promise<string> {
  const id = newId();
  await tx.db
    .insertInto('branch_push')
    .values({
      ...of,
      id,
      branch: 'main',
      before_sha: null,
      after_sha: commit,
      pushed_at: at,
      time_source: 'host',
      pusher: person,
      forced: 'no',
      completeness: 'complete',
      commits: [commit],
      source: 'webhook',
      activity: 'push',
      entry_id: newId(),
    })
    .execute();
  await tx.db
    .insertInto('reached_commit')
    .values({ ...of, branch: 'main', push_id: id, sha: commit, reached_by: 'none', entry_id: newId() })
    .execute();
  return id;
}

async function insertProtection(tx: Tx, of: RepositoryKey): Promise<string> {
  const id = newId();
  const points = ['requiredReviews', 'dismissesStaleReviews', 'allowsForcePush', 'allowsDeletion', 'includesAdmins'];
  const rules = Object.fromEntries([...points, 'requiredChecks'].map((point) => [point, { state: 'missing' }]));
  await tx.db
    .insertInto('protection_snapshot')
    .values({
      ...of,
      id,
      branch: 'main',
      captured_at: at,
      trigger: 'poll',
      state: 'forbidden',
      rules: JSON.stringify(rules),
      entry_id: newId(),
    })
    .execute();
  return id;
}

interface RecordFixture extends RepositoryKey {
  person: string;
  commit: string;
  pushId: string;
  protectionId: string;
  name: string;
}

async function insertRecord(
  tx: Tx,
  { person, commit, pushId, protectionId, name, ...of }: RecordFixture,
): Promise<string> {
  const id = newId();
  const parts = partsOf(person, commit, name);
  const source = { state: 'complete', fetchedAt: at, reason: null };
  await tx.db
    .insertInto('change_record')
    .values({
      ...of,
      id,
      version: 1,
      branch: 'main',
      is_default_branch: true,
      merge_method: 'direct_push',
      push_id: pushId,
      merged_at: at,
      merge_sha: commit,
      head_sha: commit,
      authors: [person],
      persons: [person],
      missing: [],
      approval: 'no',
      has_agent: false,
      protection_id: protectionId,
      cause: 'push',
      entry_id: newId(),
      parts: JSON.stringify(parts),
      sources: JSON.stringify(Object.fromEntries(Object.keys(parts).map((part) => [part, source]))),
    })
    .execute();
  return id;
}

function partsOf(person: string, commit: string, name: string) {
  const by = { kind: 'human', identity: 'resolved', person };
  return {
    headSha: known(commit),
    authors: known([by]),
    lastPusher: known(by),
    earlierPushers: known([]),
    unattestedCommits: known(0),
    lastPushAt: known(at),
    sessionOwners: known([]),
    reviews: known([]),
    unreviewedFiles: known(0),
    hostActivity: known('pull_request_merge'),
    mergedBy: known(by),
    mergeRequestedBy: { state: 'missing' },
    checks: known([]),
    requiredChecks: known([]),
    sourceBranch: known(`${name}-branch`),
    labels: known([]),
    tickets: known([]),
    linkedIssues: known(0),
    ai: known([]),
    agents: known([]),
    pathMatches: known([]),
    changedLines: known(12),
    configuredServers: known([]),
  };
}

const known = (value: unknown) => ({ state: 'complete', value });
