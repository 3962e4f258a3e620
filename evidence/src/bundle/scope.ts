import type { ControlId } from '../controls/catalog.ts';
import type { EvaluatedRow } from '../controls/evidence-line.ts';
import type { Completeness, SettingVersion } from '../controls/run.ts';
import type { Bytes } from '../ledger/bytes.ts';
import type { Plain } from '../ledger/canonical.ts';
import type { ChangeHost, PersonAccounts } from './openings.ts';
import type { PackedRun } from './packed-run.ts';

/** RFC 3339 in UTC with milliseconds; `to` is the first moment after it. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** What a bundle is about. */
export interface BundleScope {
  readonly org: { readonly id: string; readonly name: string };
  readonly name: string;
  readonly period: Period;
  /** Ids, in order; null: all. */
  readonly repositories: readonly string[] | null;
  /** `people`: nothing that opens a commitment is in it. */
  readonly redaction: 'none' | 'people';
  /** In the order of the catalog. */
  readonly controls: readonly ControlId[];
  /** The id of the bundle that this one stands in for. */
  readonly supersedes: string | null;
}

/** A tree that the log once was; root in base64. */
export interface Tree {
  readonly size: number;
  readonly root: string;
}

/** That an earlier tree is the beginning of the bundle's, hashes in base64. */
export interface Earlier extends Tree {
  readonly proof: readonly string[];
}

/** An entry and where it stands, hashes in base64, lowest first. */
export interface PlacedEntry {
  readonly index: number;
  readonly entry: string;
  readonly proof: readonly string[];
}

export interface PlacedDisclosure {
  readonly index: number;
  readonly disclosure: string;
}

/** What the entry of a change holds the hash of. */
export interface PlacedParts {
  readonly index: number;
  readonly parts: { readonly [key: string]: Plain };
}

/** The words of a digest, of which its entry holds the hash. */
export interface PlacedDigest {
  readonly id: string;
  readonly body: Plain;
}

/** That a checkpoint was left with somebody, as the operator says. */
export interface Anchor {
  readonly kind: string;
  readonly party: string;
  readonly size: number;
  readonly at: string;
}

/** A control as it was evaluated for the bundle. */
export interface BundleRun {
  readonly control: ControlId;
  /** Where the entry of the run stands. */
  readonly leaf: number;
  readonly settings: readonly SettingVersion<unknown>[];
  readonly completeness: readonly Completeness[];
  /** In the order of `runControl`. */
  readonly rows: readonly EvaluatedRow[];
}

/** Everything a bundle is made of. */
export interface Contents {
  readonly scope: BundleScope;
  readonly ledger: { readonly origin: string; readonly epoch: number; readonly size: number };
  /** The signed note, with what witnesses added. */
  readonly checkpoint: string;
  /** The tree whose facts were evaluated. */
  readonly evaluated: Tree;
  /** The stretch of the log that is counted, from the first census on. */
  readonly population: { readonly from: number; readonly to: number };
  /** Of the changes in the scope, as `codeHostsOf` answers them. */
  readonly codeHosts: readonly ChangeHost[];
  /** Of the disclosures, as `accountsIn` answers them. */
  readonly people: readonly PersonAccounts[];
  /** By index. */
  readonly entries: readonly PlacedEntry[];
  readonly disclosures: readonly PlacedDisclosure[];
  /** Of the last version of each change in the scope, by index. */
  readonly parts: readonly PlacedParts[];
  /** Of the period and the repositories. */
  readonly digests: readonly PlacedDigest[];
  /** By size; holds the one that was evaluated. */
  readonly earlier: readonly Earlier[];
  readonly anchors: readonly Anchor[];
  readonly runs: readonly PackedRun[];
  readonly vkey: string;
  readonly stamp?: Bytes | undefined;
  readonly report?: Bytes | undefined;
  readonly page?: Bytes | undefined;
}
