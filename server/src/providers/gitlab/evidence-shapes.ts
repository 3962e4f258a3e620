import { z } from 'zod';
import { OWN_STATUS_CONTEXT } from '#providers/code-host.ts';
import type {
  HostCheck,
  HostFileDifference,
  HostHeadPush,
  HostList,
  HostPush,
  HostTimeline,
  MergedPullRequest,
} from '#providers/host-evidence.ts';
import { hostId, maybeUser, time } from './shapes.ts';

const event = z.object({
  created_at: time,
  author: maybeUser,
  push_data: z
    .object({
      action: z.string(),
      ref_type: z.string(),
      ref: z.string().nullish(),
      commit_from: z.string().nullish(),
      commit_to: z.string().nullish(),
    })
    .nullish(),
});

/** Parses a push to a branch; undefined for other branches and combined pushes. Throws ZodError. */
export function pushFrom(json: unknown, branch: string): HostPush | undefined {
  const { created_at: at, author: pusher, push_data: push } = event.parse(json);
  if (push?.ref_type !== 'branch' || push.ref !== branch) return undefined;
  return {
    before: push.commit_from ?? null,
    after: push.commit_to ?? null,
    at,
    isForced: null,
    pusher,
    activity: null,
  };
}

export const commitShaFrom = (json: unknown): string => z.object({ id: z.string() }).parse(json).id;

const compared = z.object({
  compare_timeout: z.boolean().nullish(),
  diffs: z.array(
    z.object({
      diff: z.string().nullish(),
      new_path: z.string(),
      old_path: z.string(),
      new_file: z.boolean().nullish(),
      renamed_file: z.boolean().nullish(),
      deleted_file: z.boolean().nullish(),
      collapsed: z.boolean().nullish(),
      too_large: z.boolean().nullish(),
    }),
  ),
});

/** Parses a comparison. GitLab reports no IDs of contents, and no hunks of binary and large files. Throws ZodError. */
export function differencesFrom(json: unknown): HostList<HostFileDifference> {
  const { diffs, compare_timeout: isCut } = compared.parse(json);
  const items = diffs.map((file): HostFileDifference => {
    const isRename = file.renamed_file === true;
    // Empty for a file that was only moved. A binary file has a line without hunks instead.
    const hasPatch = (file.diff === '' || file.diff?.startsWith('@@') === true) && !file.collapsed && !file.too_large;
    return {
      path: file.new_path,
      previousPath: isRename ? file.old_path : null,
      status: file.new_file ? 'added' : file.deleted_file ? 'removed' : isRename ? 'renamed' : 'modified',
      blob: null,
      patch: hasPatch ? (file.diff ?? null) : null,
    };
  });
  return { items, isWhole: isCut !== true };
}

const origin = z.object({ iid: z.number().int(), state: z.string(), target_branch: z.string() });

/** Parses a merge request of a commit; undefined if it is not merged. */
export function mergedRequestFrom(json: unknown): MergedPullRequest | undefined {
  const { iid: number, state, target_branch: baseRef } = origin.parse(json);
  return state === 'merged' ? { number, baseRef } : undefined;
}

const version = z.object({ head_commit_sha: z.string(), created_at: time });

/** Parses a version of a merge request, which GitLab creates for each push. */
export function versionFrom(json: unknown): HostHeadPush {
  const { head_commit_sha: sha, created_at: at } = version.parse(json);
  return { sha, at, atKnown: 'host', pusher: null };
}

const approvals = z.object({ approved_by: z.array(z.object({ user: maybeUser })).default([]) });

/** The logins of the current approvers. */
export const approversFrom = (json: unknown): string[] =>
  approvals.parse(json).approved_by.flatMap(({ user }) => user?.login ?? []);

const note = z.object({
  id: hostId,
  body: z.string().nullish(),
  author: maybeUser,
  created_at: time,
  system: z.boolean().nullish(),
});

/**
 * Parses the notes of a merge request, oldest first. `approvers`: the current approvers, undefined if unknown. An
 * approval that disappeared without a note was reset by a push at an unknown time.
 */
export function timelineFrom(
  notes: readonly unknown[],
  approvers: readonly string[] | undefined,
): Omit<HostTimeline, 'linkedIssues'> {
  const dismissals: { reviewId: string; at: string | null; state: 'approved' }[] = [];
  const current = new Map<string, string>();
  let mergeRequestedBy: HostTimeline['mergeRequestedBy'] = null;
  let isQueued = false;
  for (const { id, body, author, created_at: at, system } of notes.map((json) => note.parse(json))) {
    const text = system ? (body ?? '') : '';
    const login = author?.login ?? '';
    const approval = current.get(login);
    if (/^approved this merge request/.test(text)) current.set(login, id);
    if (/^unapproved this merge request/.test(text) && approval !== undefined) {
      current.delete(login);
      dismissals.push({ reviewId: approval, at, state: 'approved' });
    }
    const step = mergeStepOf(text);
    if (step === 'requested' || step === 'queued') mergeRequestedBy = author;
    if (step === 'canceled' || step === 'unqueued') mergeRequestedBy = null;
    if (step === 'queued' || step === 'unqueued') isQueued = step === 'queued';
  }
  const removed = approvers ? [...current].filter(([login]) => !approvers.includes(login)) : [];
  dismissals.push(...removed.map(([, reviewId]) => ({ reviewId, at: null, state: 'approved' as const })));
  return { dismissals, mergeRequestedBy, isQueued };
}

/** What a system note reports about the automatic merge or the merge train. */
function mergeStepOf(text: string): 'requested' | 'canceled' | 'queued' | 'unqueued' | undefined {
  if (/^enabled an automatic (add to )?merge/.test(text)) return 'requested';
  if (/^(canceled|aborted|cancelled) the automatic (add to )?merge/.test(text)) return 'canceled';
  if (/^(started a merge train|added this merge request to the merge train)/.test(text)) return 'queued';
  return /^removed this merge request from the merge train/.test(text) ? 'unqueued' : undefined;
}

const pipeline = z.object({ id: z.number().int(), ref: z.string().nullish() });

/** Parses a pipeline. `isOfTrial`: whether it ran on a merged result or a merge train. */
export function pipelineFrom(json: unknown): { id: number; isOfTrial: boolean } {
  const { id, ref } = pipeline.parse(json);
  return { id, isOfTrial: /^refs\/merge-requests\/\d+\/(merge|train)$/.test(ref ?? '') };
}

const finished = z.object({ sha: z.string(), status: z.string(), finished_at: time.nullish() });

/** The name of the only check: GitLab requires the pipeline as a whole. */
export const pipelineCheck = 'pipeline';

const conclusions: Readonly<Record<string, string>> = { failed: 'failure', canceled: 'cancelled' };

export function checkFrom(json: unknown): HostCheck {
  const { sha, status, finished_at: at } = finished.parse(json);
  const isOver = ['success', 'failed', 'canceled', 'skipped'].includes(status);
  return {
    name: pipelineCheck,
    app: null,
    sha,
    conclusion: isOver ? (conclusions[status] ?? status) : null,
    completedAt: isOver ? (at ?? null) : null,
  };
}

const job = z.object({
  name: z.string(),
  status: z.string(),
  allow_failure: z.boolean().nullish(),
  finished_at: time.nullish(),
});

/**
 * The result of a pipeline without our own commit status, which GitLab adds to it. Otherwise our status would affect
 * its next evaluation. `jobs`: all jobs and statuses of the pipeline. Empty if there are no others.
 */
export function withoutOwnStatus(check: HostCheck, jobs: readonly unknown[]): HostCheck[] {
  const found = jobs.map((json) => job.parse(json));
  const others = found.filter(({ name }) => name !== OWN_STATUS_CONTEXT);
  if (others.length === found.length) return [check];
  if (others.length === 0) return [];
  const required = others.filter((one) => !one.allow_failure);
  const has = (...statuses: string[]) => required.some(({ status }) => statuses.includes(status));
  const isOver = !has('created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled');
  const conclusion = has('failed') ? 'failure' : has('canceled') ? 'cancelled' : 'success';
  const last = others
    .flatMap(({ finished_at: at }) => at ?? [])
    .toSorted()
    .at(-1);
  return [{ ...check, conclusion: isOver ? conclusion : null, completedAt: isOver ? (last ?? null) : null }];
}
