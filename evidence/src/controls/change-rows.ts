import type { Fact, Truth } from './facts.ts';
import type { Actor } from './persons.ts';
import type { BranchRow, DateSpan } from './rows.ts';

/**
 * What the activity list of the code host names a push. `not_reported`: its list does not tell merges of pull requests
 * from direct pushes, or it has no such list.
 */
export type HostActivity =
  | 'pull_request_merge'
  | 'merge_queue_merge'
  | 'push'
  | 'forced_push'
  | 'branch_creation'
  | 'not_reported';

export interface Review {
  readonly id: string;
  readonly by: Actor;
  readonly verdict: 'approved' | 'changes_requested' | 'commented';
  readonly submittedAt: string;
  /** Null: never dismissed. */
  readonly dismissedAt: Fact<string | null>;
  /** The reviewed commit. `by_time`: the host does not record it, so the time of the review determines the commit. */
  readonly commit: Fact<string> | { readonly state: 'by_time' };
  /** Whether the reviewer was an active member at submission. */
  readonly byActiveMember: Fact<boolean>;
  /** The start of the membership at submission, without interruption. Partial: it may have started earlier. */
  readonly memberSince: Fact<string>;
}

/** CHG-01: one merge into a branch, or direct push to it. */
export interface ChangeRow extends BranchRow {
  readonly mergedAt: string;
  readonly mergeMethod: Fact<'pull_request' | 'merge_queue' | 'direct_push'>;
  /** The push that brought the merged commit to the branch. */
  readonly hostActivity: Fact<HostActivity>;
  readonly headSha: Fact<string>;
  readonly authors: Fact<readonly Actor[]>;
  readonly lastPusher: Fact<Actor>;
  /** Who pushed to the branch of the pull request before the last push. */
  readonly earlierPushers: Fact<readonly Actor[]>;
  /**
   * Number of commits that a program pushed, without a signature that the code host verified: nothing proves who wrote
   * them.
   */
  readonly unattestedCommits: Fact<number>;
  /** Partial: only a lower bound is known. */
  readonly lastPushAt: Fact<string>;
  /** Owners of contributing agent sessions; complete and empty if the read commits name none. */
  readonly sessionOwners: Fact<readonly Actor[]>;
  readonly reviews: Fact<readonly Review[]>;
  /** Number of files that the merged commit changes and the pull request does not, so that no reviewer saw them. */
  readonly unreviewedFiles: Fact<number>;
}

/** CHG-02: one commit newly reachable from a branch, or a push with unknown commits. */
export interface ReachedCommitRow extends BranchRow {
  readonly pushedAt: string;
  /** `lost`: the push does not start at the end of the last known one. `truncated`: the host omitted commits. */
  readonly push: 'complete' | 'truncated' | 'lost';
  readonly isForced: Fact<boolean>;
  readonly reachedBy: Fact<'merged_pull_request' | 'none'>;
  readonly hostActivity: Fact<HostActivity>;
}

/** CHG-03: one merge, with the facts of CHG-01. */
export interface MergeRow extends ChangeRow {
  readonly mergedBy: Fact<Actor>;
  /** If a program merged: who added it to the queue or enabled auto-merge. */
  readonly mergeRequestedBy: Fact<Actor>;
}

export interface ProtectionSnapshot {
  /** In force from then until the next snapshot. */
  readonly capturedAt: string;
  readonly requiredReviews: Fact<number>;
  readonly dismissesStaleReviews: Fact<boolean>;
  readonly allowsForcePush: Fact<boolean>;
  readonly allowsDeletion: Fact<boolean>;
  /** Whether no user can bypass it: neither administrators nor named users, teams and apps. */
  readonly includesAdmins: Fact<boolean>;
  readonly requiredCheckCount: Fact<number>;
  /** Number of required checks that any app may report. */
  readonly unboundChecks: Fact<number>;
}

/** CHG-04: a branch on one past day. */
export interface ProtectionRow extends BranchRow {
  /** Such as `2026-07-01`, in UTC. */
  readonly day: string;
  /** The end of the day, or the time at which the repository was disabled for good. */
  readonly until: string;
  /** When the repository was disabled on that day and not recorded. */
  readonly disabled: readonly DateSpan[];
  /** The snapshots of the day and the last one before it; missing without permission to read them. */
  readonly snapshots: Fact<readonly ProtectionSnapshot[]>;
}

/** A required check that only one app of the code host may report. */
export interface RequiredApp {
  readonly name: string;
  /** ID of the app on the code host. */
  readonly app: string;
}

export interface CheckRun {
  readonly name: string;
  /** ID of the app that reported it; null: a commit status, or the code host does not tell. */
  readonly app: string | null;
  readonly sha: string;
  /** Null: not completed. */
  readonly conclusion: string | null;
  readonly completedAt: string | null;
}

/** CHG-05: one merged pull request. */
export interface ChecksRow extends BranchRow {
  readonly mergedAt: string;
  readonly headSha: Fact<string>;
  /** Names of the checks that branch protection required at the merge. */
  readonly requiredChecks: Fact<readonly string[]>;
  /** Those of them that one app must report. */
  readonly requiredApps: Fact<readonly RequiredApp[]>;
  /** Names of the checks that a snapshot shortly before the merge required, and the protection at the merge did not. */
  readonly disabledChecks: readonly string[];
  readonly checks: Fact<readonly CheckRun[]>;
}

/** CHG-06: one merged pull request. */
export interface TicketRow extends BranchRow {
  readonly mergedAt: string;
  readonly sourceBranch: Fact<string>;
  readonly labels: Fact<readonly string[]>;
  /** The status in the issue tracker of each key in title, branch, body and commit messages. */
  readonly tickets: Fact<readonly ('resolved' | 'not_found' | 'unreachable')[]>;
  /** Number of issues linked to the pull request. */
  readonly linkedIssues: Fact<number>;
}

/** A ticket that a pull request names, as it was at the merge. */
export interface NamedTicket {
  readonly key: string;
  /** Name of the issue tracker that has it; null: none, or unknown. */
  readonly tracker: string | null;
  /** `created_later`: after the merge, which counts as not found. */
  readonly state: 'resolved' | 'not_found' | 'created_later' | 'unreachable';
  /** ID at the tracker, which survives moves. */
  readonly id: string | null;
  readonly type: string | null;
  readonly status: Fact<string>;
  /** Null: it had none. */
  readonly assignee: Fact<Actor | null>;
}

/**
 * What joins an agent session to a change: its ID in a note, trace or trailer, a commit that it reports, the branch, a
 * file that it edited, or only person and time.
 */
export type SessionJoin = 'session_id' | 'commit' | 'branch' | 'file' | 'time';

/** An agent session that telemetry reports. */
export interface JoinedSession {
  /** The ID of the session. */
  readonly session: string;
  /** Null: the telemetry names no person. */
  readonly owner: Actor | null;
  readonly joins: readonly SessionJoin[];
  /** `low`: by time alone, which never counts as observed. */
  readonly confidence: 'high' | 'medium' | 'low';
}

/** Declarations and telemetry about one agent of a change. */
export interface ReconciledAgent {
  readonly agent: string;
  readonly isDeclared: boolean;
  /** `unknown`: no telemetry of this agent is connected for the authors at that time. */
  readonly observed: Truth;
  /** Names of the models that declarations and observed sessions name. Partial: others may have been used. */
  readonly models: Fact<readonly string[]>;
  /** Names of the MCP servers whose tools observed sessions called. Partial: others may have been called. */
  readonly mcpServers: Fact<readonly string[]>;
  readonly sessions: readonly JoinedSession[];
}

/** A pattern of protected files. */
export interface PathMatch {
  readonly pattern: string;
  readonly isTouched: boolean;
}

/** AI-01: one change, with the facts of CHG-01. */
export interface AgentChangeRow extends ChangeRow {
  /**
   * Declared agents and observed sessions. Missing: no telemetry is connected, and no agent is declared. Partial: of some
   * agents or authors.
   */
  readonly agents: Fact<readonly ReconciledAgent[]>;
  /** Lines attributed to agents, by confidence; missing if no attribution source is connected to the repository. */
  readonly attributions: Fact<
    readonly { readonly lines: number; readonly confidence: 'declared' | 'observed' | 'inferred' }[]
  >;
  /**
   * Whether the change touches a file that matches each pattern of the policies; names of files are not recorded. Partial:
   * only some files are known, so that only matches are listed.
   */
  readonly pathMatches: Fact<readonly PathMatch[]>;
  /** Number of lines that the change adds and deletes. */
  readonly changedLines: Fact<number>;
  /**
   * Sources of the MCP servers in the agent configuration files that the change adds or modifies, such as
   * `npm:@acme/server`. Partial: a file could not be read.
   */
  readonly configuredServers: Fact<readonly string[]>;
}
