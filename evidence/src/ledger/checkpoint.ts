import { fromBase64, toBase64 } from './bytes.ts';
import { openNote, type SignedNote, type Signer, signNote, splitNote, type Verifier } from './note.ts';
import type { Head } from './proofs.ts';
import { hashSize } from './tree.ts';

/** The signed content of a log: its name, number of leaves, and root hash. */
export interface Checkpoint extends Head {
  origin: string;
}

/** Exactly three lines. Our logs write and sign no other form. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${toBase64(root)}\n`;

/** Throws for an invalid checkpoint. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', hash = '', end, ...more] = text.split('\n');
  if (origin === '' || end !== '' || more.length > 0) throw new Error('Not a checkpoint');
  if (!/^(0|[1-9]\d*)$/.test(size) || !Number.isSafeInteger(Number(size))) {
    throw new Error('The size of the checkpoint is not a number');
  }
  const root = fromBase64(hash);
  if (root.length !== hashSize) throw new Error('The root of the checkpoint is not a hash');
  return { origin, size: Number(size), root };
}

/** A log signs in its own name. */
export const signCheckpoint = (head: Head, log: Signer): string =>
  signNote(checkpointText({ ...head, origin: log.name }), log);

/** The time-stamped text of a checkpoint: its three lines, without signatures. Throws for an invalid note. */
export const timestampedText = (note: string): string => splitNote(note).text;

/** Opens a signed checkpoint. Throws as `openNote` does, and for a log other than `origin`. */
export function openCheckpoint(
  note: string,
  origin: string,
  verifiers: readonly Verifier[],
): Checkpoint & Pick<SignedNote, 'signed'> {
  const { text, signed } = openNote(note, verifiers);
  const checkpoint = parseCheckpoint(text);
  if (checkpoint.origin !== origin) throw new Error('The checkpoint belongs to another log');
  return { ...checkpoint, signed };
}
