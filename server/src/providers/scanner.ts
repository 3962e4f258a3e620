import type { FindingCategory } from '@sightline/contract/core/finding-categories.ts';
import type { ScanSource } from '@sightline/contract/core/scan-sources.ts';
import type { Severity } from '@sightline/contract/core/severities.ts';

/** A location from a scanner: lines and columns from 1, or an offset in the file from 0. */
export interface CodeLocation extends LocationRegion {
  filePath: string;
  line: number | null;
  endLine: number | null;
  message: string;
}

/** The exact region within the lines of a location. */
export interface LocationRegion {
  column: number | null;
  endColumn: number | null;
  offset: FileOffset | null;
}

export interface FileOffset {
  unit: 'characters' | 'bytes';
  from: number;
  length: number | null;
}

/** One step of a data flow from a source to a sink. */
export interface FlowStep {
  filePath: string;
  line: number | null;
  endLine: number | null;
  message: string;
  offset?: FileOffset;
}

/** A fix that the scanner suggests. */
export interface SuggestedFix {
  description: string;
  changes: readonly (Omit<CodeLocation, 'message'> & { inserted: string })[];
}

/** Details of a result beyond its first location. */
export interface ResultEvidence {
  region: LocationRegion | null;
  locations: readonly CodeLocation[];
  relatedLocations: readonly CodeLocation[];
  otherFlows: readonly (readonly FlowStep[])[];
  fixes: readonly SuggestedFix[];
}

/** The assessment of a result by the scanner or its users, in addition to the severity. */
export interface ResultAssessment {
  /** The name in the scanner, such as `CONFIRMED`. */
  state: string | null;
  cvss: { score: number; vector: string | null } | null;
  confidence: string | null;
  language: string | null;
  notes: string;
}

/** One result of a scanner, in the same format for all scanners. */
export interface ScannerResult {
  ruleId: string;
  ruleName: string | null;
  title: string;
  /** The description of the rule in Markdown; may be empty. */
  description: string;
  /** The message of the scanner for this location. */
  message: string;
  severity: Severity;
  /** False if the scanner reported no severity and a default is used. */
  severityTold?: boolean;
  category: FindingCategory;
  cwes: readonly number[];
  /** The CWE, CVE and GHSA IDs from the scanner. */
  codes: readonly { kind: 'cwe' | 'cve' | 'ghsa'; id: string; url: string }[];
  /** The path relative to the root of the repository, with `/`; null without a file. */
  path: string | null;
  line: number | null;
  endLine: number | null;
  snippet: string | null;
  /**
   * An identifier that survives moved code: the stable fingerprint or the alert number of the scanner. Null if there is
   * none: then the snippet or else the line distinguishes locations.
   */
  content: string | null;
  flow: readonly FlowStep[];
  evidence?: ResultEvidence;
  assessment?: ResultAssessment;
  package: { name: string; version: string | null; fixedIn: string | null } | null;
  references: readonly { title: string; url: string }[];
  /** The framework requirements that the scanner reports. */
  compliances: readonly { framework: string; control: string }[];
  /** When the scanner first detected it; null if unknown. */
  discoveredAt: string | null;
  /** As reported by the scanner: `fixed` if resolved, `suppressed` if dismissed there. */
  state: 'open' | 'suppressed' | 'fixed';
  suppressed: { reason: string; comment: string } | null;
  /** The commit of the location, if it differs from the commit of the analysis. */
  commit?: string | null;
  /** The URL and the number of the result at the scanner. */
  scannerReference: { url: string | null; number: string | null } | null;
}

/** A rejected result. `place`: its JSON path in the upload. */
export interface RejectedResult {
  place: string;
  reason: string;
}

/** The reason of an incomplete scan. Account Owners can allow `missing_classes`. */
export interface IncompleteReason {
  code: 'failed' | 'missing_classes' | 'no_results' | 'engine_failed';
  message: string;
}

/** One analysis. A later one with the same repository, ref, source, tool and category replaces it. */
export interface Analysis {
  repositoryId: string;
  source: ScanSource;
  tool: { key: string; name: string; version: string | null };
  category: string;
  /** A full ref, such as `refs/heads/main`. */
  ref: string;
  commit: string | null;
  nativeId: string | null;
  /** False if results are missing, so that absent findings do not count as fixed. */
  complete: boolean;
  /** The known reasons if it is not complete. */
  incomplete?: readonly IncompleteReason[];
}
