import type { Fact } from '@sightline/evidence/controls/facts.ts';
import type { Tx } from '#database/database.ts';
import type { CodeHost } from '#providers/code-host.ts';
import type { HostEvidence, HostFileDifference, HostList } from '#providers/host-evidence.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import { answerOf, complete, missing, partOf, requestFromHost, type SourcedPart } from './host-answer.ts';

/** The merged commit of a pull request, as far as it is recorded. */
export interface MergedCommit {
  mergeSha: string | null;
  headSha: string;
  /** Null if they were not read yet. */
  parents: readonly string[] | null;
  /** The push that brought the commit to its branch. */
  push: { before: string | null; commits: number } | undefined;
  /** Number of commits of the pull request; null if unknown. */
  commits: number | null;
}

/** Reads what is recorded of a merged commit, with one query. A push may be dated by its newest commit. */
// Plan: primary key of the commit; index scan of the pushes of the branch in two weeks.
export async function mergedCommitOf(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  { mergeSha, baseRef, mergedAt }: { mergeSha: string | null; baseRef: string; mergedAt: string },
): Promise<Pick<MergedCommit, 'parents' | 'push'>> {
  const [row] = await tx.query<{ parents: string[] | null; before: string | null; commits: number | null }>({
    name: 'changes.mergedCommit',
    text: `select (select c.parents from commit c where c.org_id = $1 and c.repository_id = $2 and c.sha = $3) as parents,
             p.before_sha as before, cardinality(p.commits) as commits
           from (select 1) as one left join lateral (
             select before_sha, commits from branch_push
             where org_id = $1 and repository_id = $2 and branch = $4 and after_sha = $3 and completeness = 'complete'
               and pushed_at between $5::timestamptz - interval '7 days' and $5::timestamptz + interval '7 days'
             order by pushed_at desc, version desc limit 1) p on true`,
    values: [orgId, repositoryId, mergeSha, baseRef, mergedAt],
  });
  const push = row?.commits == null ? undefined : { before: row.before, commits: row.commits };
  return { parents: row?.parents ?? null, push };
}

/**
 * Reads the same for a host that does not name the merge commits that it creates: the merged commit is then the one
 * below it, where the push that brought it shows the merge commit. `mergeSha` is null if no such push is recorded.
 */
// Plan: index scan of the pushes of the branch in two weeks; primary key of at most MAX_COMMITS_PER_PUSH commits.
export async function unnamedMergeCommitOf(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  { mergeSha, baseRef, mergedAt }: { mergeSha: string | null; baseRef: string; mergedAt: string },
): Promise<Pick<MergedCommit, 'mergeSha' | 'parents' | 'push'>> {
  const rows = await tx.query<{ sha: string; parents: string[] | null; before: string; after: string; count: number }>({
    name: 'changes.unnamedMergeCommit',
    text: `with push as (
             select before_sha, after_sha, commits from branch_push
             where org_id = $1 and repository_id = $2 and branch = $4 and $3 = any(commits) and completeness = 'complete'
               and pushed_at between $5::timestamptz - interval '7 days' and $5::timestamptz + interval '7 days'
             order by pushed_at, version desc limit 1)
           select c.sha, c.parents, p.before_sha as before, p.after_sha as after, cardinality(p.commits) as count
           from push p join commit c on c.org_id = $1 and c.repository_id = $2 and c.sha = any(p.commits)`,
    values: [orgId, repositoryId, mergeSha, baseRef, mergedAt],
  });
  const [push] = rows;
  const parentsOf = new Map(rows.map(({ sha, parents }) => [sha, parents]));
  const unknown = { mergeSha: null, parents: null, push: undefined };
  if (mergeSha === null || push === undefined) return unknown;
  // The host creates merge commits on the first parents of the branch.
  let sha: string | undefined = push.after;
  while (sha !== undefined && sha !== mergeSha && sha !== push.before) {
    const parents = parentsOf.get(sha);
    if (!parents) return unknown;
    if (parents.includes(mergeSha, 1))
      return { mergeSha: sha, parents, push: { before: push.before, commits: push.count } };
    [sha] = parents;
  }
  // Without a merge commit of its own: a fast-forward, or below another merged commit.
  return { mergeSha, parents: parentsOf.get(mergeSha) ?? null, push: { before: push.before, commits: push.count } };
}

/**
 * Counts the files that a merged commit changes and the pull request does not: no reviewer saw them. Compares the
 * difference between the merged commit and its first parent with the difference of the pull request from the same
 * commit, without reading whole trees. Requests two or three comparisons. Throws HostLimited.
 */
export async function readUnreviewedFiles(
  host: CodeHost | undefined,
  ref: HostRef,
  merged: MergedCommit,
): Promise<SourcedPart<number>> {
  const evidence = host?.evidence;
  const { mergeSha, headSha } = merged;
  const read = host && evidence && mergeSha !== null && headSha !== '' ? () => count(host, evidence) : undefined;
  const count = async (from: CodeHost, comparisons: HostEvidence): Promise<Fact<number>> => {
    // A fast-forward: the merged commit is the reviewed one.
    if (mergeSha === null || mergeSha === headSha) return complete(0);
    const parents = merged.parents ?? (await from.getCommit(ref, mergeSha)).parents ?? [];
    return countUnreviewedFiles({
      compare: (base, head) => comparisons.differenceOf(ref, base, head),
      merged,
      parents,
    });
  };
  const answer = await requestFromHost(read);
  return partOf(answer, answerOf(answer) ?? missing, 'unverifiable');
}

type Compare = (base: string, head: string) => Promise<HostList<HostFileDifference>>;

async function countUnreviewedFiles({
  compare,
  merged,
  parents,
}: {
  compare: Compare;
  merged: MergedCommit;
  parents: readonly string[];
}): Promise<Fact<number>> {
  const { push, commits, headSha } = merged;
  // The target branch before the merge, which is the second parent if it was merged into the pull request.
  const first = parents.find((sha) => sha === push?.before) ?? parents.find((sha) => sha !== headSha);
  if (first === undefined) return missing;
  // A single commit with one parent is squashed, or the last of several rebased ones: only the start of the push tells.
  if (parents.length > 1 || commits === 1) return countFrom(compare, first, merged);
  if (!push || push.before === null) return missing;
  const found = await countFrom(compare, push.before, merged);
  // The push may contain other pull requests of a queue.
  const isOwnPush =
    push.before === first || push.commits === commits || (found.state === 'complete' && found.value === 0);
  return isOwnPush ? found : missing;
}

async function countFrom(compare: Compare, base: string, { mergeSha, headSha }: MergedCommit): Promise<Fact<number>> {
  const [reviewed, result] = await Promise.all([compare(base, headSha), compare(base, mergeSha ?? '')]);
  if (!reviewed.isWhole || !result.isWhole) return missing;
  const found = unexplainedFiles(reviewed.items, result.items);
  if (found.added.length + found.changed.length === 0) return complete(0);
  const other = await compare(headSha, base);
  return other.isWhole ? countCertain(found, other.items) : missing;
}

interface ChangedFile {
  reviewed: HostFileDifference;
  result: HostFileDifference;
}

interface UnexplainedFiles {
  /** Only the merged commit changes them. */
  added: readonly HostFileDifference[];
  /** Both change them, but differently. */
  changed: readonly ChangedFile[];
  /** Whether the merged commit lacks a change of the pull request. */
  hasDropped: boolean;
}

function unexplainedFiles(
  reviewed: readonly HostFileDifference[],
  result: readonly HostFileDifference[],
): UnexplainedFiles {
  const byPath = new Map(reviewed.map((file) => [file.path, file]));
  const paths = new Set(result.map(({ path }) => path));
  const dropped = reviewed.filter(({ path }) => !paths.has(path));
  const changed = result.flatMap((file) => {
    const before = byPath.get(file.path);
    return before && !isSameChange(before, file) ? [{ reviewed: before, result: file }] : [];
  });
  // Git moves files of the pull request if the target branch renamed their folder.
  const added = result.filter((file) => {
    if (byPath.has(file.path)) return false;
    const moved = dropped.findIndex((one) => isSameChange(one, file));
    if (moved >= 0) dropped.splice(moved, 1);
    return moved < 0;
  });
  return { added, changed, hasDropped: dropped.length > 0 };
}

/** Counts files that no merge could produce. Missing if there are none, but a merge of both sides cannot be recomputed. */
function countCertain(
  { added, changed, hasDropped }: UnexplainedFiles,
  target: readonly HostFileDifference[],
): Fact<number> {
  const touched = new Set(
    target.flatMap(({ path, previousPath }) => (previousPath === null ? [path] : [path, previousPath])),
  );
  const mayBeMoved = hasDropped && target.some(({ status }) => status === 'renamed');
  const isTouched = (pair: ChangedFile): boolean =>
    Object.values(pair).some(({ path, previousPath }) => touched.has(path) || touched.has(previousPath ?? path));
  const merged = changed.filter((pair) => !(isTouched(pair) && hasSameLines(pair.reviewed, pair.result)));
  const certain = merged.filter((pair) => !isTouched(pair) && isComparable(pair));
  const own = certain.length + (mayBeMoved ? 0 : added.length);
  if (own > 0) return complete(own);
  return merged.length > 0 || added.length > 0 ? missing : complete(0);
}

function isSameChange(one: HostFileDifference, other: HostFileDifference): boolean {
  if ((one.status === 'removed') !== (other.status === 'removed')) return false;
  if (one.path === other.path && one.previousPath !== other.previousPath) return false;
  if (one.blob !== null && other.blob !== null) return isSameBlob(one.blob, other.blob);
  return (
    one.patch !== null && other.patch !== null && withoutLineNumbers(one.patch) === withoutLineNumbers(other.patch)
  );
}

// Hosts may abbreviate IDs.
const isSameBlob = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);

const isComparable = ({ reviewed, result }: ChangedFile): boolean =>
  (reviewed.blob !== null && result.blob !== null) || (reviewed.patch !== null && result.patch !== null);

/** Whether two patches add and remove the same lines in the same order, also at other places. */
function hasSameLines({ patch: one }: HostFileDifference, { patch: other }: HostFileDifference): boolean {
  return one !== null && other !== null && changedLines(one) === changedLines(other);
}

const changedLines = (patch: string): string =>
  patch
    .split('\n')
    .filter((line) => line.startsWith('+') || line.startsWith('-'))
    .join('\n');

const withoutLineNumbers = (patch: string): string => patch.replaceAll(/^@@ .*$/gm, '@@').trimEnd();
