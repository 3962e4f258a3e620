import type { Provider } from '@sightline/contract/core/providers.ts';
import { topic } from '#core/topics.ts';
import type { HostPush } from '#providers/host-evidence.ts';
import type { HostUser } from '../../../providers/host-facts.ts';

/** An enabled repository that a webhook is about. */
export interface WebhookRepository {
  provider: Provider;
  repositoryId: string;
  defaultBranch: string;
}

/** A push to a branch, from any source. Times are RFC 3339. */
export interface BranchPush {
  branch: string;
  /** Null for a new branch. */
  before: string | null;
  /** Null for a deleted branch. */
  after: string | null;
  at: string;
  /** `received`: the host reported no time, so `at` is the time of receipt. */
  atKnown: 'host' | 'received';
  pusher: HostUser | null;
  /** Null if the host does not report it. */
  isForced: boolean | null;
  /** Commits that became reachable, oldest first. `isWhole`: the list is complete. */
  shas: readonly string[];
  isWhole: boolean;
  source: 'webhook' | 'activity' | 'reconcile';
  /** What the activity list of the host names it; null if unknown. */
  activity: HostPush['activity'];
}

/**
 * A webhook reported a push. `hostListsPushes` is false if the host has no list of pushes, so that this one cannot be read
 * again, or could not be read.
 */
export const pushReceived = topic<{ repository: WebhookRepository; push: BranchPush; hostListsPushes: boolean }>(
  'sources.push-received',
);

/** A branch or tag was deleted, or the pull request that a ref belongs to was closed. */
export const refsDeleted = topic<{ repositoryId: string; refs: readonly string[] }>('sources.refs-deleted');

/** A webhook reported a pull request. `pushed`: commits pushed to its branch; `receivedAt` is RFC 3339. */
export const pullRequestReceived = topic<{
  repository: WebhookRepository;
  number: number;
  isOpen: boolean;
  pushed: { sha: string; pusher: HostUser | null } | undefined;
  receivedAt: string;
}>('sources.pull-request-received');

/** The alerts of repositories at their code host may have changed. */
export const alertsChanged = topic<{ repositoryIds: readonly string[] }>('sources.alerts-changed');
