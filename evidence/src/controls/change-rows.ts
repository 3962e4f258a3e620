import type { Fact } from './known.ts';
import type { Actor } from './persons.ts';
import type { BranchRow } from './rows.ts';

export interface Review {
  readonly id: string;
  readonly by: Actor;
  readonly verdict: 'approved' | 'changes_requested' | 'commented';
  readonly submittedAt: string;
  /** Null: never dismissed. */
  readonly dismissedAt: Fact<string | null>;
  /** The commit it was given for. `by_time`: the host gives reviews to a pull request as it stands, so that time says for which. */
  readonly commit: Fact<string> | { readonly state: 'by_time' };
  /** Whether the reviewer was an active member when it was submitted. */
  readonly byActiveMember: Fact<boolean>;
}

/** CHG-01: one merge into a branch, or direct push to it. */
export interface ChangeRow extends BranchRow {
  readonly mergedAt: string;
  readonly mergeMethod: Fact<'pull_request' | 'merge_queue' | 'direct_push'>;
  readonly headSha: Fact<string>;
  readonly authors: Fact<readonly Actor[]>;
  readonly lastPusher: Fact<Actor>;
  /** Partial: only a time is known after which it was. */
  readonly lastPushAt: Fact<string>;
  /** Who started the sessions of agents that wrote for it; complete and empty where commits were read and name none. */
  readonly sessionOwners: Fact<readonly Actor[]>;
  readonly reviews: Fact<readonly Review[]>;
}

/** CHG-02: one commit newly reachable from a branch, or a push of which none is known. */
export interface ReachedRow extends BranchRow {
  readonly pushedAt: string;
  /** `lost`: the push begins at another commit than the last known one ended at. `truncated`: the host left commits out. */
  readonly push: 'complete' | 'truncated' | 'lost';
  readonly isForced: Fact<boolean>;
  readonly reachedBy: Fact<'merged_pull_request' | 'none'>;
}

/** CHG-03: one merge, as CHG-01 reads it. */
export interface MergeRow extends ChangeRow {
  readonly mergedBy: Fact<Actor>;
  /** Who queued it or had it merged once ready, where a program merged. */
  readonly mergeRequestedBy: Fact<Actor>;
}

export interface ProtectionSnapshot {
  /** It holds from then until the next one. */
  readonly capturedAt: string;
  readonly requiredReviews: Fact<number>;
  readonly dismissesStaleReviews: Fact<boolean>;
  readonly allowsForcePush: Fact<boolean>;
  readonly allowsDeletion: Fact<boolean>;
  readonly includesAdmins: Fact<boolean>;
}

/** CHG-04: a branch on one day that is over. */
export interface ProtectionRow extends BranchRow {
  /** Such as `2026-07-01`, in UTC. */
  readonly day: string;
  /** Those of the day and the last before it; missing where the host does not let us read them. */
  readonly snapshots: Fact<readonly ProtectionSnapshot[]>;
}

export interface CheckRun {
  readonly name: string;
  readonly sha: string;
  /** Null: not over. */
  readonly conclusion: string | null;
  readonly completedAt: string | null;
}

/** CHG-05: one merged pull request. */
export interface ChecksRow extends BranchRow {
  readonly mergedAt: string;
  readonly headSha: Fact<string>;
  /** Names of the checks that the protection of the branch asked for at the merge. */
  readonly requiredChecks: Fact<readonly string[]>;
  readonly checks: Fact<readonly CheckRun[]>;
}

/** CHG-06: one merged pull request. */
export interface TicketRow extends BranchRow {
  readonly mergedAt: string;
  readonly sourceBranch: Fact<string>;
  readonly labels: Fact<readonly string[]>;
  /** What the tracker said of each key in title, branch and body. */
  readonly tickets: Fact<readonly ('resolved' | 'not_found' | 'unreachable')[]>;
  /** How many issues the pull request is linked to. */
  readonly linkedIssues: Fact<number>;
}

/** AI-01: one change, as CHG-01 reads it. */
export interface AgentChangeRow extends ChangeRow {
  /** Lines by agents, by how sure that is; missing where no source of attribution is connected for the repository. */
  readonly attributions: Fact<
    readonly { readonly lines: number; readonly confidence: 'declared' | 'observed' | 'inferred' }[]
  >;
}
