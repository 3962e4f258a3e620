import { type Bytes, fromBase64, toBase64 } from './bytes.ts';
import { type Checkpoint, openCheckpoint } from './checkpoint.ts';
import type { SignedNote, Verifier } from './note.ts';
import { isIncluded } from './proofs.ts';
import { leafHash } from './tree.ts';

/** A self-contained inclusion proof of an entry: a `.tlog-proof` of C2SP. */
export interface TlogProof {
  index: number;
  /** Lowest first. */
  hashes: readonly Bytes[];
  /** The signed checkpoint of the tree. */
  checkpoint: string;
}

export const tlogProofText = ({ index, hashes, checkpoint }: TlogProof): string =>
  `${[header, `index ${index}`, ...hashes.map(toBase64)].join('\n')}\n\n${checkpoint}`;

const header = 'c2sp.org/tlog-proof@v1';

/** Parses a proof without verifying it. Extra data is ignored, since ours has none. */
export function parseTlogProof(text: string): TlogProof {
  const end = text.indexOf('\n\n');
  const [first, ...lines] = text.slice(0, end).split('\n');
  if (end < 0 || first !== header) throw new Error('Not a transparency log proof');
  const [index = '', ...hashes] = lines[0]?.startsWith('extra ') ? lines.slice(1) : lines;
  if (!/^index (0|[1-9]\d*)$/.test(index)) throw new Error('The proof has no log index');
  if (hashes.length > mostHashes) throw new Error('The proof has too many hashes');
  return {
    index: Number(index.slice('index '.length)),
    hashes: hashes.map(fromBase64),
    checkpoint: text.slice(end + 2),
  };
}

const mostHashes = 63;

/** Verifies that the log of `origin` contains an entry with this text, signed by one of the keys. Throws otherwise. */
export function checkTlogProof(
  text: string,
  entry: string,
  origin: string,
  verifiers: readonly Verifier[],
): Checkpoint & Pick<SignedNote, 'signed'> & { index: number } {
  const { index, hashes, checkpoint } = parseTlogProof(text);
  const head = openCheckpoint(checkpoint, origin, verifiers);
  if (!isIncluded(leafHash(entry), { index, size: head.size, proof: hashes, root: head.root })) {
    throw new Error('The proof does not connect the entry to the root of the log');
  }
  return { ...head, index };
}
