import { z } from 'zod';
import { hostCount, hostNumber } from '#providers/host-data.ts';
import type { HostHeadPush } from '#providers/host-evidence.ts';
import type { HostPullRequest } from '../host-facts.ts';
import { type AccountsByEmail, commitFrom } from './commit-shapes.ts';
import { maybeTime, maybeUser, time, user } from './shapes.ts';

/** What a request for a change asks for beside its fields. */
export const changeOptions = [
  'DETAILED_LABELS',
  'DETAILED_ACCOUNTS',
  'MESSAGES',
  'ALL_REVISIONS',
  'ALL_COMMITS',
  'SUBMIT_REQUIREMENTS',
] as const;

const vote = z.object({ value: z.number().int().nullish(), date: maybeTime, _account_id: z.number().int().nullish() });

const label = z.object({
  all: z.array(vote).nullish(),
  // `{"-2": "…", " 0": "No score", "+2": "…"}`
  values: z.record(z.string(), z.string()).nullish(),
});

const message = z.object({
  id: z.string(),
  author: maybeUser,
  // Who acted, if it was on behalf of the author.
  real_author: maybeUser,
  date: time,
  message: z.string(),
  tag: z.string().nullish(),
  _revision_number: z.number().int().nullish(),
});
export type ChangeMessage = z.output<typeof message>;

const revision = z.object({
  _number: z.number().int().positive(),
  kind: z.string().nullish(),
  created: time,
  uploader: maybeUser,
  real_uploader: maybeUser,
  ref: z.string().nullish(),
  commit: z.unknown(),
});

const change = z.object({
  project: z.string(),
  branch: z.string(),
  subject: z.string(),
  status: z.enum(['NEW', 'MERGED', 'ABANDONED', 'DRAFT', 'SUBMITTED']),
  work_in_progress: z.boolean().nullish(),
  created: time,
  updated: time,
  submitted: maybeTime,
  submitter: maybeUser,
  insertions: hostCount.nullish(),
  deletions: hostCount.nullish(),
  hashtags: z.array(z.string()).nullish(),
  topic: z.string().nullish(),
  _number: hostNumber,
  owner: user,
  labels: z.record(z.string(), label).nullish(),
  messages: z.array(message).nullish(),
  current_revision: z.string().nullish(),
  revisions: z.record(z.string(), revision).nullish(),
});

/** A patch set with its commit, in order. */
export type PatchSet = z.output<typeof revision> & { sha: string };

export interface GerritChange extends Omit<z.output<typeof change>, 'revisions' | 'messages'> {
  patchSets: readonly PatchSet[];
  messages: readonly ChangeMessage[];
  /** The patch set that was reviewed: not the one that a submission created. */
  head: PatchSet | undefined;
  /** How the change reached its branch; undefined before that, or if the host does not tell. */
  merge: { sha: string; by: 'submit' | 'push' } | undefined;
}

/** Parses a change with the options above. Throws ZodError for anything else. */
export function changeFrom(json: unknown): GerritChange {
  const found = change.parse(json);
  const patchSets = Object.entries(found.revisions ?? {})
    .map(([sha, one]) => ({ ...one, sha }))
    .toSorted((one, other) => one._number - other._number);
  const messages = (found.messages ?? []).toSorted((one, other) => (one.date < other.date ? -1 : 1));
  const merge = found.status === 'MERGED' ? mergeOf(found.current_revision, messages) : undefined;
  return { ...found, patchSets, messages, merge, head: headOf(patchSets, merge, found.submitted) };
}

// A submission by cherry-pick or rebase creates a patch set with another commit.
const picked = /^Change has been successfully (?:cherry-picked|rebased(?: and submitted)?) as ([0-9a-f]{40,64})\b/;
const merged = /^Change has been successfully merged\b/;
// A direct push of the commit, or of an amended one, also makes the status of the change MERGED.
const pushed = /^Change has been successfully pushed\b/;

/** Only the message tells submissions from pushes. An administrator can delete it: then nothing is known. */
function mergeOf(current: string | null | undefined, messages: readonly ChangeMessage[]): GerritChange['merge'] {
  for (const { message: text } of messages.toReversed()) {
    const [, sha] = picked.exec(text) ?? [];
    if (sha !== undefined) return { sha, by: 'submit' };
    // The commit of the last patch set itself is in the branch, below a merge commit or not.
    if (current && merged.test(text)) return { sha: current, by: 'submit' };
    if (current && pushed.test(text)) return { sha: current, by: 'push' };
  }
  return undefined;
}

/**
 * The last patch set before the submission. The submission creates one if its commit is not the one that was reviewed:
 * then it is the commit that the message names, and was created when the change was submitted.
 */
function headOf(
  patchSets: readonly PatchSet[],
  merge: GerritChange['merge'],
  submitted: string | null,
): PatchSet | undefined {
  const last = patchSets.at(-1);
  const before = patchSets.at(-2);
  const isOfSubmission =
    merge?.by === 'submit' &&
    last?.sha === merge.sha &&
    submitted !== null &&
    Math.abs(Date.parse(last.created) - Date.parse(submitted)) < SUBMISSION_MS;
  return isOfSubmission && before ? before : last;
}

/** A submission writes the patch set and its time together. */
const SUBMISSION_MS = 1000;

/** The abandonment or the push that closed a change. */
const closureOf = ({ messages, status }: GerritChange): ChangeMessage | undefined =>
  messages.findLast(({ tag, message: text }) =>
    status === 'ABANDONED' ? tag === 'autogenerated:gerrit:abandon' || /^Abandoned\b/.test(text) : pushed.test(text),
  );

/** What the commit of the reviewed patch set tells. A merge commit brings others, so that their number is unknown. */
function commitFieldsOf({ head }: GerritChange): Pick<HostPullRequest, 'commits' | 'body' | 'mergeBase'> {
  if (head?.commit === undefined) return { commits: null };
  const { parents, message: text } = commitFrom(head.commit, head.sha);
  const [parent] = parents ?? [];
  return {
    commits: parents?.length === 1 ? 1 : null,
    body: text.split('\n').slice(1).join('\n').trim(),
    ...(parent !== undefined && { mergeBase: parent }),
  };
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** When and by whom a change was submitted or abandoned. One that a direct push closed was not merged by the host. */
function endOf(
  found: GerritChange,
): Pick<HostPullRequest, 'state' | 'mergedAt' | 'mergedBy' | 'closedAt' | 'closedBy'> {
  const open = { state: 'in-progress', mergedAt: null, mergedBy: null, closedAt: null, closedBy: null } as const;
  if (found.status === 'MERGED' && found.merge?.by !== 'push') {
    const mergedAt = found.submitted ?? found.updated;
    return { ...open, state: 'accepted', mergedAt, mergedBy: found.submitter, closedAt: mergedAt };
  }
  if (found.status !== 'ABANDONED' && found.merge === undefined) return open;
  const closure = closureOf(found);
  const closedBy = closure?.real_author ?? closure?.author ?? null;
  return { ...open, state: 'closed', closedAt: closure?.date ?? found.updated, closedBy };
}

/** A change as a pull request of one commit. */
export const pullRequestFrom = (baseURL: string, found: GerritChange): HostPullRequest => ({
  number: found._number,
  title: found.subject,
  draft: found.work_in_progress === true || found.status === 'DRAFT',
  author: found.owner,
  createdAt: found.created,
  updatedAt: found.updated,
  ...endOf(found),
  baseRef: found.branch,
  // A change has no branch of its own; each patch set has a ref below this one.
  headRef: `refs/changes/${String(found._number % 100).padStart(2, '0')}/${found._number}`,
  headSha: found.head?.sha ?? '',
  // The commit of a direct push is one without a pull request.
  mergeSha: found.merge?.by === 'submit' ? found.merge.sha : null,
  additions: found.insertions ?? null,
  deletions: found.deletions ?? null,
  changedFiles: null,
  url: `${baseURL}/c/${encodePath(found.project)}/+/${found._number}`,
  labels: [...(found.hashtags ?? [])],
  isFromFork: false,
  ...commitFieldsOf(found),
});

/** The uploads of the patch sets up to the one that was reviewed, newest first. */
export function uploadsOf({ patchSets, head }: GerritChange): HostHeadPush[] {
  return patchSets
    .filter(({ _number: number }) => number <= (head?._number ?? 0))
    .map(
      (one, index, all): HostHeadPush => ({
        sha: one.sha,
        before: all[index - 1]?.sha ?? null,
        at: one.created,
        atKnown: 'host',
        pusher: one.real_uploader ?? one.uploader,
      }),
    )
    .toReversed();
}

/** The accounts of who uploaded the patch sets, and of the owner. */
export const accountsOf = ({ owner, patchSets }: GerritChange): AccountsByEmail =>
  new Map(
    [owner, ...patchSets.flatMap(({ uploader, real_uploader: real }) => [uploader, real])].flatMap((one) =>
      one?.email === undefined ? [] : [[one.email.toLowerCase(), one]],
    ),
  );

const listed = z.looseObject({ _number: hostNumber, updated: time });

/** Parses the number and the update time of a listed change. */
export function pullRequestListedFrom(json: unknown): { number: number; updatedAt: string } {
  const { _number: number, updated: updatedAt } = listed.parse(json);
  return { number, updatedAt };
}
