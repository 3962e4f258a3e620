import type { Fact } from './facts.ts';
import type { Actor } from './persons.ts';
import type { ApprovedWaiver } from './waivers.ts';

// Rows contain only the facts that evaluation requires: times as RFC 3339 in UTC with milliseconds, persons by opaque
// IDs, no user-written text.

/** The common fields of all rows. */
export interface PopulationRow {
  /** The key of the item, unique among the rows of a control: IDs and addresses, no personal data. */
  readonly subject: string;
  /** ID of the repository; null without one. */
  readonly repository: string | null;
  /** Index of the ledger entry of this row; null if it is derived from several or no entries. */
  readonly leaf: number | null;
  /** All ledger entries that the row depends on. */
  readonly leaves: readonly number[];
  /** Approved waivers of this subject for this control. */
  readonly waivers: readonly ApprovedWaiver[];
}

/** A row about a branch. */
export interface BranchRow extends PopulationRow {
  readonly branch: string;
  /** Whether it was the default branch at that time. */
  readonly isDefaultBranch: boolean;
}

export interface ScanRun {
  readonly sha: string;
  readonly finishedAt: string;
  readonly state: 'ok' | 'failed';
}

/** SCN-01: one merged pull request. */
export interface ScannedRow extends BranchRow {
  readonly mergedAt: string;
  readonly evaluatedAt: string;
  readonly headSha: Fact<string>;
  readonly mergeSha: Fact<string>;
  /** The state of the repository's scanner from the merge until a day later. */
  readonly scanner: Fact<'working' | 'failing' | 'not_configured'>;
  readonly scans: Fact<readonly ScanRun[]>;
}

/** SCN-02: a repository in one past week. */
export interface FreshnessRow extends PopulationRow {
  readonly weekStart: string;
  /** The end of the week, or the time at which the repository was disabled for good. */
  readonly weekEnd: string;
  /** When the repository was enabled first. */
  readonly enabledAt: string;
  /** When the repository was disabled in the 31 days before the end of the week. */
  readonly disabled: readonly DateSpan[];
  readonly integration: Fact<'active' | 'inactive'>;
  /** Scans of the default branch. */
  readonly scans: Fact<readonly ScanRun[]>;
}

interface FindingRow extends PopulationRow {
  readonly firstSeenAt: string;
  readonly periodFrom: string;
  /** The end of the period, or the current time if it is not over. */
  readonly evaluatedAt: string;
}

/** VUL-01: a finding that was open at any time in the period. */
export interface VulnerabilityRow extends FindingRow {
  readonly severity: Fact<'critical' | 'high' | 'medium' | 'low' | 'info'>;
  /** The last time at which a scanner certainly reported it. */
  readonly lastSeenAt: string;
  /** Null: a scanner still reports it. Missing: not scanned for longer than SCN-02 permits. */
  readonly fixedAt: Fact<string | null>;
  /** The dismissal with its reason; null: not dismissed. */
  readonly dismissal: { readonly at: string; readonly reason: string } | null;
}

/** VUL-02: a detected secret. */
export interface SecretRow extends FindingRow {
  /** Null: still open. Missing: the source does not report how secrets were closed. */
  readonly closure: Fact<{
    readonly at: string;
    readonly reason: Fact<'rotated' | 'revoked' | 'false_positive' | 'other'>;
  } | null>;
}

/** EXC-01: a waiver that was decided or in force in the period. */
export interface WaiverDecisionRow extends PopulationRow {
  readonly decidedAt: string;
  readonly requestedBy: Actor;
  readonly decidedBy: Actor;
  /** Whether the approver had the permission at that time. */
  readonly hadPermission: Fact<boolean>;
  /** Length of the given reason in characters. */
  readonly reasonLength: number;
  readonly from: string;
  readonly until: string;
}

export interface ToolDecision {
  readonly decision: 'approved' | 'denied';
  readonly from: string;
  /** Null: still in force. */
  readonly until: string | null;
  /** Patterns of the affected versions; null: all. */
  readonly versions: readonly string[] | null;
}

/** TOL-01: the use of a tool by a person or repository. */
export interface ToolUseRow extends PopulationRow {
  readonly seenAt: string;
  /** When the tool was first seen in the organization. */
  readonly firstSeenAt: string;
  readonly version: Fact<string>;
  readonly decisions: Fact<readonly ToolDecision[]>;
}

/** COV-01: a person with commits in the period. */
export interface CommitterRow extends PopulationRow {
  readonly periodFrom: string;
  readonly periodTo: string;
  readonly person: Actor;
  /** The hours with commits, each by its start. */
  readonly commitHours: readonly string[];
  readonly extension: Fact<'installed' | 'never_connected'>;
  readonly presence: Fact<readonly DateSpan[]>;
  /** From the start of a pause until the extension was connected again. */
  readonly pauses: Fact<readonly DateSpan[]>;
}

export interface DateSpan {
  readonly from: string;
  readonly to: string;
}

/** A permission on a code host, lowest first. */
export type HostPermission = 'read' | 'triage' | 'write' | 'maintain' | 'admin';

type MembershipStatus = 'active' | 'deactivated' | 'never';

/** The access of a person to a repository on its code host, during which their membership did not change. */
export interface HostAccessSpan extends DateSpan {
  readonly repository: string;
  readonly permission: HostPermission;
  readonly membership: Fact<MembershipStatus>;
  /** When that membership status began; null: it never was another one. */
  readonly since: string | null;
  /** When it ended; null: it did not change. */
  readonly until: string | null;
}

/** A person left the directory of the organization. */
export interface Departure {
  /** When the directory reported it. */
  readonly leftAt: string;
  /** When it reported the person again; null: not yet. */
  readonly returnedAt: string | null;
  /** From leaving to the end of the membership, or of the known facts. 0: no member then. Null: unknown. */
  readonly memberMinutes: number | null;
  /** From leaving to the end of the last known access to a repository on a code host. 0: none. */
  readonly hostAccessMinutes: number;
}

/**
 * ACC-01: a person with a commit, review or merge in the period, with access to a repository on a code host, or who left
 * the directory.
 */
export interface AccessRow extends PopulationRow {
  readonly periodFrom: string;
  readonly person: Actor;
  readonly acts: readonly { readonly at: string; readonly membership: Fact<MembershipStatus> }[];
  /** Partial: at some time of the period the access to a repository is unknown. */
  readonly hostAccess: Fact<readonly HostAccessSpan[]>;
  /** Empty without a directory. */
  readonly departures: readonly Departure[];
}

/** The access on code hosts that an item of an access review is about. */
export interface ReviewedHostAccess {
  readonly permission: HostPermission;
  /** IDs of repositories. */
  readonly repositories: readonly string[];
}

/** ACC-02: an item of a quarterly access review: a member with a role, or who or what has access on a code host. */
export interface ReviewLineRow extends PopulationRow {
  readonly quarterStart: string;
  readonly quarterEnd: string;
  readonly evaluatedAt: string;
  /** The member or account. A deploy key or app is an agent, linked with the person who added it. */
  readonly person: Actor;
  /** Null: a role in the organization. */
  readonly hostAccess: ReviewedHostAccess | null;
  /** Whether the access is in force at the end of the quarter, or when it was evaluated. */
  readonly isInForce: boolean;
  /** When the person left the directory, unless they returned by the end of the quarter; null: they did not. */
  readonly leftDirectoryAt: string | null;
  /** Null: the item is in no review. `signedAt` null: the review is unsigned. */
  readonly line: Fact<{
    readonly reviewer: Actor;
    readonly decision: 'kept' | 'changed' | 'none';
    readonly signedAt: string | null;
  } | null>;
}

/** LOG-01: one past day. */
export interface LedgerDayRow extends PopulationRow {
  readonly day: string;
  readonly selfCheck: Fact<'ok' | 'failed'>;
  /** The longest time that an entry was pending that day. */
  readonly longestPendingSeconds: Fact<number>;
  /** The time of the last anchored checkpoint by the end of the day; null: never. */
  readonly lastAnchoredAt: Fact<string | null>;
  readonly epochBreaks: Fact<number>;
}

/** DIG-01: one commit digest. */
export interface DigestRow extends PopulationRow {
  readonly dueAt: string;
  readonly evaluatedAt: string;
  readonly bodySha256: string;
  /** Sign-offs, each with the hash of the body that the reviewer saw. */
  readonly signOffs: Fact<readonly { readonly at: string; readonly bodySha256: string }[]>;
}
