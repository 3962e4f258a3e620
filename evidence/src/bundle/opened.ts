import type { ControlId } from '../controls/catalog.ts';
import type { Status, VerdictTally } from '../controls/verdicts.ts';
import type { Bytes } from '../ledger/bytes.ts';
import type { Entry } from '../ledger/entry.ts';
import type { VerifiedSignature, Verifier } from '../ledger/note.ts';
import type { Head } from '../ledger/proofs.ts';
import type { LineFields } from './lines.ts';
import type { Manifest } from './manifest.ts';
import type { OpenedField } from './openings.ts';
import type { ControlWithRows } from './packed-run.ts';
import type { Anchor } from './scope.ts';

/** What somebody who verifies brings: never from the bundle itself. */
export interface VerifierInput {
  /** Keys of the log. */
  readonly keys: readonly Verifier[];
  readonly witnesses?: readonly Verifier[] | undefined;
  /** An earlier bundle of the same log. */
  readonly previous?: Bytes | undefined;
  /** Checks that a time stamp (RFC 3161) is of these bytes, the lines of the checkpoint, and answers when it was given. Throws where it is not. */
  readonly checkTimestamp?: ((stamp: Bytes, of: Bytes) => Promise<string> | string) | undefined;
  /** Called before each step, so that a page can draw. */
  readonly onStep?: ((number: number, title: string) => Promise<void> | void) | undefined;
}

export interface LeafEntry extends Entry {
  readonly index: number;
  readonly hash: Bytes;
}

/** What was read of a bundle so far, each part by the step that checked it. */
export interface VerificationState {
  readonly files: ReadonlyMap<string, Bytes>;
  readonly manifest: Manifest;
  readonly signer: Verifier;
  head?: Head;
  cosigned?: readonly VerifiedSignature[];
  timestampedAt?: string | undefined;
  anchors?: readonly Anchor[];
  entries?: ReadonlyMap<number, LeafEntry>;
  /** What is disclosed of the entries, and how many of their commitments are not. */
  disclosed?: readonly OpenedField[];
  redactedCount?: number;
  takenAt?: string;
  parts?: ReadonlyMap<number, LineFields>;
  controls?: readonly VerifiedControl[];
  evaluatedControls?: readonly ControlWithRows[];
}

/**
 * How what was evaluated is held by the ledger. `entries`: row by row by the entries of changes, and none of those is left out; `facts`: row by
 * row, and that one is left out could not be noticed; `run`: by the entry of the run, which holds the hash of all rows.
 */
export type LedgerCommitment = 'entries' | 'facts' | 'run';

export interface VerifiedControl {
  readonly id: ControlId;
  readonly status: Status;
  readonly counts: VerdictTally;
  readonly commitment: LedgerCommitment;
  /** How often it was evaluated for this period as far as the bundle counts. */
  readonly runs: number;
}

/** The part that an earlier step must have checked. */
export function requireStep<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('An earlier step was skipped');
  return part;
}

export function fileOf({ files }: Pick<VerificationState, 'files'>, path: string): Bytes {
  const bytes = files.get(path);
  if (!bytes) throw new Error(`${path} is missing`);
  return bytes;
}
