import type { Category } from '@sightline/contract/core/finding-categories.ts';
import type { Severity } from '@sightline/contract/core/severities.ts';
import type { ScanSource } from '@sightline/contract/vulnerabilities/scans.ts';

/** A place as a scanner names it: by lines and columns from 1, or by an offset into the file from 0. */
export interface Location extends Region {
  filePath: string;
  line: number | null;
  endLine: number | null;
  message: string;
}

/** What narrows a place beside its lines. */
export interface Region {
  column: number | null;
  endColumn: number | null;
  offset: Offset | null;
}

export interface Offset {
  unit: 'characters' | 'bytes';
  from: number;
  length: number | null;
}

/** One step on the way of data from a source to a sink. */
export interface FlowStep {
  filePath: string;
  line: number | null;
  endLine: number | null;
  message: string;
  offset?: Offset;
}

/** A change that the scanner suggests. */
export interface Fix {
  description: string;
  changes: readonly (Omit<Location, 'message'> & { inserted: string })[];
}

/** What a scanner names beside the first place of a result. */
export interface Evidence {
  region: Region | null;
  locations: readonly Location[];
  relatedLocations: readonly Location[];
  otherFlows: readonly (readonly FlowStep[])[];
  fixes: readonly Fix[];
}

/** How the scanner, or a person in it, judges a result beside its severity. */
export interface Assessment {
  /** As the scanner names it, such as `CONFIRMED`. */
  state: string | null;
  cvss: { score: number; vector: string | null } | null;
  confidence: string | null;
  language: string | null;
  notes: string;
}

/** One result of a scanner in the one form that findings are made of, whatever it came as. */
export interface Result {
  ruleId: string;
  ruleName: string | null;
  title: string;
  /** Markdown about the rule; empty where there is none. */
  description: string;
  /** The scanner's words about this place. */
  message: string;
  severity: Severity;
  /** False: the scanner told none, and this one is ours. */
  severityTold?: boolean;
  category: Category;
  cwes: readonly number[];
  /** CVE, GHSA and the like, as the scanner names them. */
  codes: readonly { kind: 'cwe' | 'cve' | 'ghsa'; id: string; url: string }[];
  /** Relative to the root of the repository, with `/`; null where no file is named. */
  path: string | null;
  line: number | null;
  endLine: number | null;
  snippet: string | null;
  /**
   * What stays the same when the code around it moves: the scanner's own stable fingerprint, or its alert number.
   * Null where it offers none; then the snippet, or else the line, tells places apart.
   */
  content: string | null;
  flow: readonly FlowStep[];
  evidence?: Evidence;
  assessment?: Assessment;
  package: { name: string; version: string | null; fixedIn: string | null } | null;
  references: readonly { title: string; url: string }[];
  /** What the scanner itself says of standards. */
  compliances: readonly { framework: string; control: string }[];
  /** When the scanner first saw it; null where it does not say. */
  discoveredAt: string | null;
  /** `fixed`: the scanner says it is gone. `suppressed`: it says that it does not count. */
  state: 'open' | 'suppressed' | 'fixed';
  suppressed: { reason: string; comment: string } | null;
  /** The commit in which it stands at that line, where that is not the one of the whole analysis. */
  commit?: string | null;
  /** Where the scanner shows it, and under which number. */
  scannerReference: { url: string | null; number: string | null } | null;
}

/** A result that could not be taken, with its place in what was sent. */
export interface Rejection {
  place: string;
  reason: string;
}

/** Why a scanner did not look at everything. `missing_classes` alone is no reason where an owner allowed that. */
export interface IncompleteReason {
  code: 'failed' | 'missing_classes' | 'no_results' | 'engine_failed';
  message: string;
}

/** What was scanned, by which scanner. A later scan with the same repository, ref, source, tool and category replaces it. */
export interface Analysis {
  repositoryId: string;
  source: ScanSource;
  tool: { key: string; name: string; version: string | null };
  category: string;
  /** A full ref, such as `refs/heads/main`. */
  ref: string;
  commit: string | null;
  nativeId: string | null;
  /** False when only some results are sent: then nothing counts as fixed by being absent. */
  complete: boolean;
  /** Why it is not complete, where that is known. */
  incomplete?: readonly IncompleteReason[];
}
