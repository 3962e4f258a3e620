import { type Bytes, equalBytes, fromBase64, toBase64 } from './bytes.ts';
import { parseCheckpoint } from './checkpoint.ts';
import { openNote, splitNote, type Verifier } from './note.ts';
import { type Head, isConsistent } from './proofs.ts';
import { emptyRoot, hashSize } from './tree.ts';

/** The request body of `add-checkpoint` (C2SP tlog-witness). */
export interface AddCheckpointRequest {
  /** The last size that the witness cosigned, according to the log. */
  oldSize: number;
  /** The consistency proof from the old to the new size. */
  proof: readonly Bytes[];
  /** The signed checkpoint. */
  note: string;
}

export const addCheckpointRequestText = ({ oldSize, proof, note }: AddCheckpointRequest): string =>
  `${[`old ${oldSize}`, ...proof.map(toBase64)].join('\n')}\n\n${note}`;

/** Throws for an invalid request. */
export function parseAddCheckpointRequest(text: string): AddCheckpointRequest {
  const end = text.indexOf('\n\n');
  const [old = '', ...hashes] = text.slice(0, end).split('\n');
  const size = /^old (0|[1-9]\d*)$/.exec(old)?.[1];
  if (end < 0 || size === undefined || !Number.isSafeInteger(Number(size))) throw new Error('The old size is missing');
  if (hashes.length > mostHashes) throw new Error('The proof has too many hashes');
  const proof = hashes.map(fromBase64);
  if (proof.some((hash) => hash.length !== hashSize)) throw new Error('The proof contains an invalid hash');
  return { oldSize: Number(size), proof, note: text.slice(end + 2) };
}

const mostHashes = 63;

/** A log known to a witness: its verifiers, and the last cosigned head. */
export interface WatchedLog {
  verifiers: readonly Verifier[];
  latest: Head | undefined;
}

export type AdditionResult =
  | { status: 200; origin: string; head: Head }
  | { status: 400 | 403 | 404 | 422; message: string }
  /** With the last cosigned size. */
  | { status: 409; size: number; message: string };

/**
 * Decides whether a witness may cosign, by the rules of tlog-witness in order. The caller must store the new head
 * before it responds, and serialize reading and storing.
 */
export function checkAddCheckpointRequest(
  text: string,
  logOf: (origin: string) => WatchedLog | undefined,
): AdditionResult {
  let addition: AddCheckpointRequest;
  let checkpoint: ReturnType<typeof parseCheckpoint>;
  try {
    addition = parseAddCheckpointRequest(text);
    checkpoint = parseCheckpoint(splitNote(addition.note).text);
  } catch (error) {
    return { status: 400, message: (error as Error).message };
  }
  const { origin, size, root } = checkpoint;
  const log = logOf(origin);
  if (log === undefined) return { status: 404, message: 'This witness does not know the log' };
  try {
    openNote(addition.note, log.verifiers);
  } catch (error) {
    return { status: 403, message: (error as Error).message };
  }
  const { oldSize, proof } = addition;
  if (oldSize > size) return { status: 400, message: 'The old size is larger than the checkpoint' };
  const latest = log.latest ?? { size: 0, root: emptyRoot() };
  const conflict = (message: string): AdditionResult => ({ status: 409, size: latest.size, message });
  if (oldSize !== latest.size) return conflict('The old size is not the latest cosigned size');
  if (oldSize === size && !equalBytes(root, latest.root)) return conflict('The root at this size is different');
  if (!isConsistent(latest, { size, root }, proof)) {
    return { status: 422, message: 'The proof does not show that the log is append-only' };
  }
  return { status: 200, origin, head: { size, root } };
}
