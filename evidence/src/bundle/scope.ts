import type { ControlId } from '../controls/catalog.ts';
import type { Completeness } from '../controls/completeness.ts';
import type { EvaluatedRow, ExcludedPopulationRow } from '../controls/evidence-line.ts';
import type { SettingVersion } from '../controls/run.ts';
import type { Bytes } from '../ledger/bytes.ts';
import type { CanonicalValue } from '../ledger/canonical.ts';
import type { ChangeHost, PersonAccounts } from './openings.ts';
import type { PackedRun } from './packed-run.ts';
import type { Redaction } from './redaction.ts';
import type { Weakening } from './weakening.ts';

/** RFC 3339 in UTC with milliseconds; `to` is exclusive. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The scope of a bundle. */
export interface BundleScope {
  readonly org: { readonly id: string; readonly name: string };
  readonly name: string;
  readonly period: Period;
  /** Sorted IDs; null: all. */
  readonly repositories: readonly string[] | null;
  readonly redaction: Redaction;
  /** In catalog order. */
  readonly controls: readonly ControlId[];
  /** The ID of the superseded bundle. */
  readonly supersedes: string | null;
}

/** An earlier state of the log; root in base64. */
export interface Tree {
  readonly size: number;
  readonly root: string;
}

/** An earlier tree with its consistency proof to the tree of the bundle, hashes in base64. */
export interface EarlierTree extends Tree {
  readonly proof: readonly string[];
}

/** An entry with its inclusion proof, hashes in base64, lowest first. */
export interface PlacedEntry {
  readonly index: number;
  readonly entry: string;
  readonly proof: readonly string[];
}

export interface PlacedDisclosure {
  readonly index: number;
  readonly disclosure: string;
}

/** The disclosures of one person, which a bundle contains either all or not at all. */
export interface PersonDisclosures {
  readonly person: string;
  readonly count: number;
  /** Hex, of the list of `[index, commitment]`. */
  readonly sha256: string;
}

/** The content that the entry of a change contains the hash of. */
export interface PlacedParts {
  readonly index: number;
  readonly parts: { readonly [key: string]: CanonicalValue };
}

/** The body of a digest, of which its entry contains the hash. */
export interface PlacedDigest {
  readonly id: string;
  readonly body: CanonicalValue;
}

/** The publication of a checkpoint to an anchor before the snapshot, as stated by the operator. */
export interface Anchor {
  readonly kind: string;
  readonly party: string;
  readonly size: number;
  readonly at: string;
}

/** A control as evaluated for the bundle. */
export interface BundleRun {
  readonly control: ControlId;
  /** Index of the entry of the run. */
  readonly leaf: number;
  readonly settings: readonly SettingVersion<unknown>[];
  readonly completeness: readonly Completeness[];
  /** In the order of `runControl`. */
  readonly rows: readonly EvaluatedRow[];
  readonly weakenings: readonly Weakening[];
  /** In the same order. */
  readonly excluded: readonly ExcludedPopulationRow[];
}

/** The input from which a bundle is built. */
export interface BundleContents {
  readonly scope: BundleScope;
  readonly ledger: { readonly origin: string; readonly epoch: number; readonly size: number };
  /** The signed note with the cosignatures of witnesses. */
  readonly checkpoint: string;
  /** The tree of the evaluated facts. */
  readonly evaluated: Tree;
  /** The counted range of the log, starting at the first census. */
  readonly population: { readonly from: number; readonly to: number };
  /** From the changes in the scope, as returned by `codeHostsOf`. */
  readonly codeHosts: readonly ChangeHost[];
  /** From the disclosures, as returned by `accountsIn`. */
  readonly people: readonly PersonAccounts[];
  /** By index. */
  readonly entries: readonly PlacedEntry[];
  readonly disclosures: readonly PlacedDisclosure[];
  /** Of the snapshot, also of persons without disclosures in the bundle. */
  readonly disclosed: readonly PersonDisclosures[];
  /** Of the latest version of each change in the scope, by index. */
  readonly parts: readonly PlacedParts[];
  /** Of the period and the repositories. */
  readonly digests: readonly PlacedDigest[];
  /** By size; includes the evaluated tree. */
  readonly earlier: readonly EarlierTree[];
  readonly anchors: readonly Anchor[];
  readonly runs: readonly PackedRun[];
  readonly vkey: string;
  readonly stamp?: Bytes | undefined;
  readonly report?: Bytes | undefined;
}
