import type { EventKind, Parameter, Summary } from '@sightline/contract/timeline/events.ts';
import type { Tx } from '#database/database.ts';

/** An archived event in the text format of PostgreSQL. */
export interface ArchivedEventRow {
  id: string;
  kind: string;
  as_of: string;
  received_at: string;
  source: string;
  /** In its stored form. */
  summary: string;
  /** Likewise. */
  detail: string;
  actor: string | null;
  repo: string | null;
  pr: string | null;
  /** As `\x` and hexadecimal digits. */
  leaf_hash: string;
  proof: string;
}

/** A segment of the archive. */
export interface ArchivedSegment {
  /** Also the ID of its ledger entry. */
  id: string;
  /** The hash that its ledger entry names, in hexadecimal. */
  sha256: string;
  /** Reads the whole segment and throws unless it is intact. */
  check: () => Promise<void>;
  /** Its events in order, in pages. */
  events: () => AsyncGenerator<ArchivedEventRow[], void>;
}

/** An archived event with new texts. */
export interface ArchivedEventTexts {
  id: string;
  asOf: string;
  kind: EventKind;
  source: string;
  repo: string | null;
  pr: number | null;
  summary: Summary;
  detail: { label: string; parameter: Parameter }[];
}

/** What lower domains do with events that left the table `event` for the archive. */
export interface ArchivedEvents {
  /** Lists the segments of an organization, which no other transaction changes until this one ends. */
  lockSegments: (tx: Tx, orgId: string) => Promise<ArchivedSegment[]>;
  /** Reads the events of persons, in pages. */
  eventsOf: (orgId: string, persons: readonly string[]) => AsyncGenerator<ArchivedEventRow[], void>;
  /**
   * Replaces the texts of events; their hashes and proofs do not change. `rewrite` returns undefined for an event without
   * changes, and `beforeWrite` gets the IDs of changed ones. Returns their number.
   */
  rewriteTexts: (
    orgId: string,
    rewrite: (row: ArchivedEventRow) => ArchivedEventTexts | undefined,
    beforeWrite: (ids: readonly string[]) => Promise<void>,
  ) => Promise<number>;
  /** Those of these terms that archived events have. */
  findTerms: (orgId: string, terms: ReadonlySet<number>) => Promise<Set<number>>;
}
