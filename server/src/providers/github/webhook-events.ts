import { z } from 'zod';
import type { EventRepository, HostEvent } from '#providers/host-events.ts';
import type { HostAlert } from '../host-facts.ts';
import { codeAlertFrom, dependencyAlertFrom, secretAlertFrom } from './alert-shapes.ts';
import { commitFromPush } from './commit-shapes.ts';
import { installationFrom } from './installations.ts';
import { pullRequestFromWebhook, reviewFrom } from './pull-request-shapes.ts';
import { hostId, maybeUser, repositoryFrom } from './shapes.ts';

type GithubPayload = Record<string, unknown>;

/** Parses the event of a delivery of GitHub. Throws ZodError for an invalid body. */
export function githubEventsFrom(event: string, payload: GithubPayload): HostEvent[] {
  const read = Object.hasOwn(readers, event) ? readers[event] : undefined;
  const hostEvent = read?.(payload);
  return hostEvent ? [hostEvent] : [];
}

const readers: Readonly<Record<string, (payload: GithubPayload) => HostEvent | undefined>> = {
  installation: readInstallation,
  installation_repositories: readSelection,
  repository: readRepository,
  push: readPush,
  delete: readDelete,
  pull_request: (payload) => readPullRequest(payload, () => undefined),
  pull_request_review: (payload) =>
    readPullRequest(payload, () => {
      const review = reviewFrom(payload.review);
      return review && [review];
    }),
  branch_protection_rule: (payload) => ({ kind: 'protection', repository: repositoryIn(payload), branch: null }),
  // Rulesets of an organization have no repository: the hourly snapshot detects their changes.
  repository_ruleset: (payload) =>
    payload.repository ? { kind: 'protection', repository: repositoryIn(payload), branch: null } : undefined,
  member: readAccess,
  membership: readAccess,
  organization: readAccess,
  team: readAccess,
  team_add: readAccess,
  code_scanning_alert: (payload) => readAlert(payload, 'code_scanning', codeAlertFrom),
  dependabot_alert: (payload) => readAlert(payload, 'dependabot', dependencyAlertFrom),
  // The stored payload does not contain the secret.
  secret_scanning_alert: (payload) => readAlert(payload, 'secret_scanning', secretAlertFrom),
};

const pushEvent = z.object({
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  deleted: z.boolean().default(false),
  forced: z.boolean().optional(),
  sender: maybeUser,
  commits: z.array(z.looseObject({ id: z.string() })).default([]),
});

const zeros = /^0+$/;
// A payload has at most 20 commits on an older Enterprise Server, and 2048 on GitHub.
const MIN_TRUNCATED_COMMITS = 20;

function readPush(payload: GithubPayload): HostEvent {
  const { ref, before, after, deleted, forced, sender, commits } = pushEvent.parse(payload);
  const repository = repositoryIn(payload);
  return {
    kind: 'push',
    repository,
    ref,
    before: zeros.test(before) ? null : before,
    after: deleted || zeros.test(after) ? null : after,
    shas: commits.map(({ id }) => id),
    isWhole: commits.length > 0 && commits.length < MIN_TRUNCATED_COMMITS,
    ...(forced !== undefined && { isForced: forced }),
    ...(sender && { pusher: sender }),
    ...(repository.pushedAt !== null && { at: repository.pushedAt }),
    parsePayload: () => commits.map(commitFromPush),
  };
}

const deleteEvent = z.object({ ref: z.string(), ref_type: z.string() });

function readDelete(payload: GithubPayload): HostEvent | undefined {
  const { ref, ref_type } = deleteEvent.parse(payload);
  if (ref_type !== 'branch') return undefined;
  return { kind: 'ref_deleted', repository: repositoryIn(payload), ref: `refs/heads/${ref}` };
}

const pullRequestAction = z.object({
  action: z.string(),
  sender: maybeUser,
  review: z.looseObject({ id: hostId }).nullish(),
});

function readPullRequest(
  payload: GithubPayload,
  reviews: () => ReturnType<typeof reviewFrom>[] | undefined,
): HostEvent {
  const pullRequest = pullRequestFromWebhook(payload);
  const { action, sender, review } = pullRequestAction.parse(payload);
  const isPush = action === 'synchronize' || action === 'opened';
  return {
    kind: 'pull_request',
    repository: repositoryIn(payload),
    number: pullRequest.number,
    ...(isPush && { pushed: { sha: pullRequest.headSha, pusher: sender } }),
    ...(action === 'dismissed' && review && { dismissedReview: review.id }),
    parsePayload: () => ({ pullRequest, reviews: reviews()?.filter((review) => review !== undefined) }),
  };
}

const alertEvent = z.object({ alert: z.looseObject({ number: z.number().int() }), ref: z.string().default('') });

function readAlert(
  payload: GithubPayload,
  kind: HostAlert['kind'],
  from: (json: unknown) => HostAlert | undefined,
): HostEvent {
  const { alert, ref } = alertEvent.parse(payload);
  return {
    kind: 'alert',
    repository: repositoryIn(payload),
    alert: kind,
    number: alert.number,
    ref: kind === 'code_scanning' && ref !== '' ? ref : null,
    parsePayload: () => from(alert),
  };
}

const installationEvent = z.object({ action: z.string(), installation: z.unknown() });
const changes = {
  created: 'created',
  deleted: 'deleted',
  suspend: 'suspended',
  unsuspend: 'resumed',
  new_permissions_accepted: 'permissions',
} as const;

function readInstallation(payload: GithubPayload): HostEvent | undefined {
  const { action, installation } = installationEvent.parse(payload);
  const { id, permissions } = installationFrom(installation);
  if (!Object.hasOwn(changes, action)) return undefined;
  return { kind: 'installation', installationId: id, change: changes[action as keyof typeof changes], permissions };
}

const selectionEvent = z.object({
  installation: z.object({ id: hostId }),
  repositories_added: z.array(z.unknown()).default([]),
  repositories_removed: z.array(z.object({ id: hostId })).default([]),
});

function readSelection(payload: GithubPayload): HostEvent {
  const { installation, repositories_added: added, repositories_removed: removed } = selectionEvent.parse(payload);
  return {
    kind: 'selection',
    installationId: installation.id,
    hasAdded: added.length > 0,
    removed: removed.map(({ id }) => id),
  };
}

const accessEvent = z.object({ installation: z.object({ id: hostId }).nullish() });

// Changes of teams and of the organization name no repository.
function readAccess(payload: GithubPayload): HostEvent {
  const { installation } = accessEvent.parse(payload);
  const repository = payload.repository ? repositoryIn(payload) : null;
  return { kind: 'access', repository, installationId: installation?.id ?? null };
}

const repositoryEvent = z.object({
  action: z.string(),
  installation: z.object({ id: hostId }),
  repository: z.unknown(),
});

function readRepository(payload: GithubPayload): HostEvent {
  const { action, installation, repository } = repositoryEvent.parse(payload);
  return {
    kind: 'repository',
    change: action === 'created' ? 'created' : action === 'deleted' ? 'deleted' : 'changed',
    repository: repositoryFrom(repository),
    installationId: installation.id,
  };
}

function repositoryIn({ repository }: GithubPayload): EventRepository {
  const { id, pushedAt } = repositoryFrom(repository);
  return { id, pushedAt };
}
