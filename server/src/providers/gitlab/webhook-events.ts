import { z } from 'zod';
import { hostNumber } from '#providers/host-data.ts';
import type { HostEvent } from '#providers/host-events.ts';
import type { HostPullRequest, HostUser } from '../host-facts.ts';
import { commitFromPush } from './commit-shapes.ts';
import { maybeUser, repositoryFrom, time } from './shapes.ts';

type GitlabPayload = Record<string, unknown>;

/** Parses the event of a delivery of GitLab by its `object_kind`. Throws ZodError for an invalid body. */
export function gitlabEventsFrom(event: string, payload: GitlabPayload): HostEvent[] {
  if (event === 'push') return [readPush(payload)];
  return event === 'merge_request' ? [readMergeRequest(payload)] : [];
}

const pushEvent = z.object({
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  commits: z.array(z.looseObject({ id: z.string() })).default([]),
  total_commits_count: z.number().int().nullish(),
  user_id: z.number().int().nullish(),
  user_username: z.string().nullish(),
  user_avatar: z.string().nullish(),
});

const zeros = /^0+$/;
// The maximum number of commits in the payload of a push.
const MAX_PAYLOAD_COMMITS = 20;

function readPush(payload: GitlabPayload): HostEvent {
  const { ref, before, after, commits, total_commits_count: total, ...by } = pushEvent.parse(payload);
  const pusher = maybeUser.parse(
    by.user_username ? { id: by.user_id, username: by.user_username, avatar_url: by.user_avatar } : null,
  );
  return {
    kind: 'push',
    repository: repositoryIn(payload),
    ref,
    before: zeros.test(before) ? null : before,
    after: zeros.test(after) ? null : after,
    shas: commits.map(({ id }) => id),
    isWhole: commits.length > 0 && (total ?? MAX_PAYLOAD_COMMITS) <= commits.length,
    // Creating or deleting a branch is not a forced push. For other pushes GitLab does not report it.
    ...((zeros.test(before) || zeros.test(after)) && { isForced: false }),
    ...(pusher && { pusher }),
    parsePayload: () => commits.map(commitFromPush),
  };
}

const attributes = z.object({
  iid: hostNumber,
  author_id: z.number().int().nullish(),
  title: z.string(),
  state: z.enum(['opened', 'closed', 'locked', 'merged']),
  action: z.string().nullish(),
  draft: z.boolean().nullish(),
  work_in_progress: z.boolean().nullish(),
  created_at: time,
  updated_at: time,
  target_branch: z.string(),
  source_branch: z.string(),
  merge_commit_sha: z.string().nullish(),
  last_commit: z.object({ id: z.string() }).nullish(),
  url: z.string(),
});
const mergeRequestEvent = z.object({
  user: z.looseObject({ id: z.number().int().nullish() }).nullish(),
  object_attributes: attributes,
});

function readMergeRequest(payload: GitlabPayload): HostEvent {
  const { user, object_attributes: found } = mergeRequestEvent.parse(payload);
  const by = maybeUser.safeParse(user).data ?? null;
  const isAuthor = found.action === 'open' || (user?.id != null && user.id === found.author_id);
  return {
    kind: 'pull_request',
    repository: repositoryIn(payload),
    number: found.iid,
    parsePayload: () => ({ pullRequest: mergeRequestOf(found, by, isAuthor), reviews: undefined }),
  };
}

const ghost: HostUser = { login: 'ghost', avatarUrl: null, isAgent: false };

// The payload contains only the ID of the author: the account is known if the author caused the event.
function mergeRequestOf(found: z.output<typeof attributes>, by: HostUser | null, isAuthor: boolean): HostPullRequest {
  const [isMerged, isClosed] = [found.state === 'merged', found.state === 'closed'];
  return {
    number: found.iid,
    title: found.title,
    state: isMerged ? 'accepted' : isClosed ? 'closed' : 'in-progress',
    draft: found.draft ?? found.work_in_progress ?? false,
    author: (isAuthor ? by : null) ?? ghost,
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    mergedAt: isMerged ? found.updated_at : null,
    mergedBy: isMerged && found.action === 'merge' ? by : null,
    closedAt: isMerged || isClosed ? found.updated_at : null,
    closedBy: isClosed && found.action === 'close' ? by : null,
    baseRef: found.target_branch,
    headRef: found.source_branch,
    headSha: found.last_commit?.id ?? '',
    mergeSha: isMerged ? (found.merge_commit_sha ?? null) : null,
    additions: null,
    deletions: null,
    changedFiles: null,
    commits: null,
    url: found.url,
  };
}

const repositoryIn = ({ project }: GitlabPayload) => {
  const { id, pushedAt } = repositoryFrom(project);
  return { id, pushedAt };
};
