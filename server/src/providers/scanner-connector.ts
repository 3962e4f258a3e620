import type { FindingCategory } from '@sightline/contract/core/finding-categories.ts';
import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import type { ScannerCheck } from '@sightline/contract/sources/integrations.ts';
import type { Outbound } from '#core/outbound.ts';
import type { SignatureCheck } from '#core/signatures.ts';
import type { Analysis, IncompleteReason, RejectedResult, ScannerResult } from './scanner.ts';

/** The settings of a connection: the fields of the form, see `scannerForms`. */
export interface ScannerConnection {
  /** The account at the scanner: a tenant, an organization, or a deployment; empty for scanners without one. */
  tenant: string;
  apiKey: string;
  /** Undefined for the default host of the scanner. */
  baseURL?: string | undefined;
}

type Problem = NonNullable<ScannerCheck['problem']>;

/** The reason that a connection to a scanner fails. The message is shown to the user who entered it. */
export class ScannerProblem extends Error {
  override name = 'ScannerProblem';
  readonly code: Problem['code'];
  readonly field: Problem['field'];
  constructor(code: Problem['code'], field: Problem['field'], message: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/** A scanner is rate limiting requests. */
export class ScannerLimited extends Error {
  override name = 'ScannerLimited';
  readonly until: Date;
  /** `title`: the name of the scanner for users. */
  constructor(title: string, until: Date) {
    super(`${title} is rate limiting requests.`);
    this.until = until;
  }
}

/** A project of a scanner, with what may identify its repository. */
export interface ScannedProject {
  id: string;
  name: string;
  repoUrl: string | null;
  mainBranch: string | null;
  /** The name at the code host, for an imported project: `owner/name`. */
  importedName: string | null;
}

/** A part of a scan with an analysis of its own, since a later scan may not cover it: a category, or an engine. */
export type ScanPart = FindingCategory | 'apisec' | 'other';

/** A finished scan of a branch of a project, or its current state at scanners that keep no scans. */
export interface ProjectScan {
  /** Identifies the results: an equal ID means equal results. */
  id: string;
  createdAt: Date;
  /** Null for the main branch. */
  branch: string | null;
  commit: string | null;
  repoUrl: string | null;
  /** False if results are missing, such as those of a failed engine. */
  complete: boolean;
  /** The reasons if it is not complete. */
  incomplete: readonly IncompleteReason[];
  /** The parts that it always covers, and those that it may cover; null if it does not report them. */
  parts: { always: readonly ScanPart[]; maybe: readonly ScanPart[] } | null;
}

export interface ScansQuery {
  projectId: string;
  branch?: string;
  /** The earliest time of a scan. */
  since?: Date;
  /** The maximum number of scans. */
  most?: number;
}

/** One result with the part of its scan; null if it is a rejected one. */
export interface PartResult {
  part: ScanPart | null;
  result: ScannerResult | RejectedResult;
}

export interface ScannerWebhook {
  url: string;
  secret: string;
}

/** A scanner with the credentials of one account. Every method throws ScannerProblem or ScannerLimited. */
export interface ScannerSession {
  /** The host that it calls. */
  baseURL: string;
  /** The number of visible projects. Verifies the permission to read them. */
  countProjects: () => Promise<number>;
  projects: () => AsyncGenerator<ScannedProject[]>;
  /**
   * The URL or the name of the repository of a project that the list does not tell; null if unknown. Undefined for
   * scanners whose scans tell it.
   */
  repositoryOf?: (projectId: string) => Promise<string | null>;
  /** Finished scans, newest first. */
  scans: (query: ScansQuery) => AsyncGenerator<ProjectScan>;
  /** Results, page by page. A page that only repeats earlier results ends them. */
  results: (project: Pick<ScannedProject, 'id'>, scan: ProjectScan) => AsyncGenerator<PartResult[]>;
  /** Undefined if the scanner has none that report finished scans. */
  webhooks: ScannerWebhooks | undefined;
}

interface ScannerWebhooks {
  /** Creates a webhook for the scans of all projects. Returns its ID. */
  register: (webhook: ScannerWebhook) => Promise<string>;
  /** Succeeds if it is already deleted. */
  delete: (id: string) => Promise<void>;
}

export interface ScannerConnector {
  /** Signs in. `hurry`: does not retry failed requests, for interactive use. */
  open: (connection: ScannerConnection, hurry?: boolean) => Promise<ScannerSession>;
}

/**
 * One scanner. The file `scanner.ts` in a folder of its own exports it as `scanner`. Its form and its label are data of
 * the contract.
 */
export interface ScannerDefinition {
  name: ScannerName;
  /** The scanner of results of a part, equal to that of its SARIF, so that both are the same finding. */
  toolOf: (part: ScanPart) => Analysis['tool'];
  /** `defaultURL`: the host of connections without one. `pause`: milliseconds before a retry. */
  create: (outbound: Outbound, defaultURL: string, pause?: number) => ScannerConnector;
  /** Deliveries of its webhooks; undefined without webhooks. */
  deliveries?: ScannerDeliveries;
}

/** How the webhooks of a scanner are signed. */
export interface ScannerDeliveries {
  /** Header names, in lower case. */
  eventHeader: string;
  signatureHeader: string;
  signatureOf: (secret: string, header: string) => SignatureCheck | undefined;
}
