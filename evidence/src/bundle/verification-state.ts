import type { ControlId } from '../controls/catalog.ts';
import type { Status, VerdictTally } from '../controls/verdicts.ts';
import type { Bytes } from '../ledger/bytes.ts';
import type { Entry } from '../ledger/entry.ts';
import type { VerifiedSignature, Verifier } from '../ledger/note.ts';
import type { Head } from '../ledger/proofs.ts';
import type { LineFields } from './lines.ts';
import type { Manifest } from './manifest.ts';
import type { Names } from './names.ts';
import type { OpenedField, PersonAccounts } from './openings.ts';
import type { ControlWithRows } from './packed-run.ts';
import type { UnrecordedRepository } from './repositories.ts';
import type { Anchor, PersonDisclosures } from './scope.ts';

/** The input of a verifier, from sources other than the bundle. */
export interface VerifierInput {
  /** Keys of the log. */
  readonly keys: readonly Verifier[];
  readonly witnesses?: readonly Verifier[] | undefined;
  /** An earlier bundle of the same log. */
  readonly previous?: Bytes | undefined;
  /** Verifies a time stamp (RFC 3161) of the checkpoint lines and returns its time. Throws if it is invalid. */
  readonly checkTimestamp?: ((stamp: Bytes, of: Bytes) => Promise<string> | string) | undefined;
  /** A file of the organization that opens what the bundle redacts. */
  readonly disclosureKey?: Bytes | undefined;
  /** Called before each step, so that a page can render progress. */
  readonly onStep?: ((number: number, title: string) => Promise<void> | void) | undefined;
}

export interface LeafEntry extends Entry {
  readonly index: number;
  readonly hash: Bytes;
}

/** The verified parts of a bundle, each set by the step that checked it. */
export interface VerificationState {
  readonly files: ReadonlyMap<string, Bytes>;
  readonly manifest: Manifest;
  readonly signer: Verifier;
  head?: Head;
  cosigned?: readonly VerifiedSignature[];
  /** Names of the signers of the checkpoint whose keys were not given. */
  unknownSigners?: readonly string[];
  hasTimestamp?: boolean;
  timestampedAt?: string | undefined;
  anchors?: readonly Anchor[];
  entries?: ReadonlyMap<number, LeafEntry>;
  /** The fields of entries that the bundle discloses, and the number of commitments that stay closed. */
  disclosed?: readonly OpenedField[];
  /** The names that the bundle discloses, and those that it and the given key open. */
  disclosedNames?: Names;
  openedNames?: Names;
  /** Accounts on code hosts that the bundle and the given key open. */
  openedPeople?: readonly PersonAccounts[];
  redactedCount?: number;
  /** What the snapshot could disclose of each person. */
  snapshotDisclosures?: readonly PersonDisclosures[];
  /** Number of these persons without disclosures, unless the bundle redacts all persons. */
  undisclosedPersons?: number;
  takenAt?: string;
  parts?: ReadonlyMap<number, LineFields>;
  controls?: readonly VerifiedControl[];
  evaluatedControls?: readonly ControlWithRows[];
  /** Number of retests whose result a person recorded. */
  recordedRetests?: number;
  /** Repositories that were not recorded for all of the period. */
  unrecorded?: readonly UnrecordedRepository[];
}

/**
 * How the ledger commits to the evaluated rows. `entries`: each row by the entry of its change, and missing rows are
 * detected. `facts`: each row, but missing rows are not detected. `run`: by the run entry, which contains the hash of
 * all rows.
 */
export type LedgerCommitment = 'entries' | 'facts' | 'run';

export interface VerifiedControl {
  readonly id: ControlId;
  readonly status: Status;
  readonly counts: VerdictTally;
  readonly commitment: LedgerCommitment;
  /** Number of runs for this period within the counted range. */
  readonly runs: number;
}

/** Returns a value that an earlier step verified. Throws if that step was skipped. */
export function requireStep<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('An earlier step was skipped');
  return value;
}

export function fileOf({ files }: Pick<VerificationState, 'files'>, path: string): Bytes {
  const bytes = files.get(path);
  if (!bytes) throw new Error(`${path} is missing`);
  return bytes;
}
