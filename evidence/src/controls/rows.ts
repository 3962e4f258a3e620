import type { Fact } from './known.ts';
import type { Actor } from './persons.ts';
import type { ApprovedWaiver } from './waivers.ts';

// What the evaluate of each control needs and nothing more: times as RFC 3339 in UTC with milliseconds, people by opaque ids, no text
// that anybody wrote.

/** What the rows of every control have. */
export interface PopulationRow {
  /** What the row is about: unique among the rows of a control. Ids and addresses, nothing personal. */
  readonly subject: string;
  /** Id of the repository; null where the row is about none. */
  readonly repository: string | null;
  /** The ledger's entry that is this row, by index; null where it is drawn from several, or from that there is none. */
  readonly leaf: number | null;
  /** Every entry of the ledger the row rests on. */
  readonly leaves: readonly number[];
  /** Approved exceptions of this subject from this control. */
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
  /** How the scanner of the repository was at the merge and until a day after. */
  readonly scanner: Fact<'working' | 'failing' | 'not_configured'>;
  readonly scans: Fact<readonly ScanRun[]>;
}

/** SCN-02: a repository in one week that is over. */
export interface FreshnessRow extends PopulationRow {
  readonly weekStart: string;
  readonly weekEnd: string;
  readonly enabledAt: string;
  readonly integration: Fact<'active' | 'inactive'>;
  /** Runs on the default branch. */
  readonly scans: Fact<readonly ScanRun[]>;
}

interface FindingRow extends PopulationRow {
  readonly firstSeenAt: string;
  readonly periodFrom: string;
  /** The end of the period, or now where it runs. */
  readonly evaluatedAt: string;
}

/** VUL-01: a finding that was open at some moment of the period. */
export interface VulnerabilityRow extends FindingRow {
  readonly severity: Fact<'critical' | 'high' | 'medium' | 'low' | 'info'>;
  /** The last time a scanner certainly saw it. */
  readonly lastSeenAt: string;
  /** Null: a scanner still sees it; missing: none has looked for longer than SCN-02 allows. */
  readonly fixedAt: Fact<string | null>;
  /** That somebody said it does not count, and why; null: nobody did. */
  readonly dismissal: { readonly at: string; readonly reason: string } | null;
}

/** VUL-02: a secret that was found. */
export interface SecretRow extends FindingRow {
  /** Null: still open; missing: the source says nothing of how secrets were closed. */
  readonly closure: Fact<{
    readonly at: string;
    readonly reason: Fact<'rotated' | 'revoked' | 'false_positive' | 'other'>;
  } | null>;
}

/** EXC-01: an exception that was decided or valid in the period. */
export interface WaiverDecisionRow extends PopulationRow {
  readonly decidedAt: string;
  readonly requestedBy: Actor;
  readonly decidedBy: Actor;
  /** Whether whoever decided held the right to, then. */
  readonly hadPermission: Fact<boolean>;
  /** Characters of what was said why. */
  readonly reasonLength: number;
  readonly from: string;
  readonly until: string;
}

export interface ToolDecision {
  readonly decision: 'approved' | 'denied';
  readonly from: string;
  /** Null: it holds on. */
  readonly until: string | null;
  /** Versions it is about, as patterns; null: all. */
  readonly versions: readonly string[] | null;
}

/** TOL-01: a tool as a person or a repository used it. */
export interface ToolUseRow extends PopulationRow {
  readonly seenAt: string;
  /** When the tool was first seen in the organization. */
  readonly firstSeenAt: string;
  readonly version: Fact<string>;
  readonly decisions: Fact<readonly ToolDecision[]>;
}

/** COV-01: somebody with commits in the period. */
export interface CommitterRow extends PopulationRow {
  readonly periodFrom: string;
  readonly periodTo: string;
  readonly person: Actor;
  /** The hours in which they committed, each by its beginning. */
  readonly commitHours: readonly string[];
  readonly extension: Fact<'installed' | 'never_connected'>;
  readonly presence: Fact<readonly DateSpan[]>;
  /** From when they paused until it was connected again. */
  readonly pauses: Fact<readonly DateSpan[]>;
}

export interface DateSpan {
  readonly from: string;
  readonly to: string;
}

/** ACC-01: somebody with a commit, review or merge in the period. */
export interface AccessRow extends PopulationRow {
  readonly periodFrom: string;
  readonly person: Actor;
  readonly acts: readonly { readonly at: string; readonly membership: Fact<'active' | 'deactivated' | 'never'> }[];
}

/** ACC-02: a line of the access review of a quarter: a member with a role. */
export interface ReviewLineRow extends PopulationRow {
  readonly quarterStart: string;
  readonly quarterEnd: string;
  readonly evaluatedAt: string;
  readonly person: Actor;
  /** Null: the line stands in no review; `signedAt` null: in one that nobody signed. */
  readonly line: Fact<{
    readonly reviewer: Actor;
    readonly decision: 'kept' | 'changed' | 'none';
    readonly signedAt: string | null;
  } | null>;
}

/** LOG-01: one day that is over. */
export interface LedgerDayRow extends PopulationRow {
  readonly day: string;
  readonly selfCheck: Fact<'ok' | 'failed'>;
  /** The longest that an entry waited that day. */
  readonly longestPendingSeconds: Fact<number>;
  /** When a checkpoint was last left outside, as of the end of the day; null: never. */
  readonly lastAnchoredAt: Fact<string | null>;
  readonly epochBreaks: Fact<number>;
}

/** DIG-01: one commit digest. */
export interface DigestRow extends PopulationRow {
  readonly dueAt: string;
  readonly evaluatedAt: string;
  readonly bodySha256: string;
  /** Sign-offs, with the hash of what each reviewer saw. */
  readonly signOffs: Fact<readonly { readonly at: string; readonly bodySha256: string }[]>;
}
