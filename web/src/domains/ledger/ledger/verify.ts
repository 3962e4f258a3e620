import { fromBase64 } from '@sightline/evidence/ledger/bytes.ts';
import { openCheckpoint, parseCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { type Entry, parseEntry } from '@sightline/evidence/ledger/entry.ts';
import { parseVerifier, splitNote, type Verifier } from '@sightline/evidence/ledger/note.ts';
import { isConsistent } from '@sightline/evidence/ledger/proofs.ts';
import { checkTlogProof, parseTlogProof } from '@sightline/evidence/ledger/tlog-proof.ts';

/** A step of a verification. A failed step is the last one. */
export interface LedgerCheckStep {
  ok: boolean;
  message: string;
}

/** A signer or cosigner, with the time that a witness reports. */
export interface Signer {
  name: string;
  /** RFC 3339; undefined for the log itself. */
  at: string | undefined;
}

export interface VerificationResult {
  ok: boolean;
  steps: LedgerCheckStep[];
  signers: Signer[];
}

/** Returns index and log of an entry from its proof, without verification. Throws if the proof is malformed. */
export function entryPositionOf(proof: string): { index: number; origin: string; size: number; epoch: number } {
  const { index, checkpoint } = parseTlogProof(proof);
  const { origin, size } = parseCheckpoint(splitNote(checkpoint).text);
  return { index, origin, size, epoch: Number(origin.slice(origin.lastIndexOf('/') + 1)) };
}

/** Verifies that a log signed by these keys includes an entry, from its text and inclusion proof. */
export function verifyEntry(
  text: string,
  proof: string,
  keys: readonly string[],
  witnesses: readonly string[],
): VerificationResult {
  return inSteps((step) => {
    const entry: Entry = parseEntry(text);
    step(`The text is the canonical form of entry ${entry.id}.`);
    const { origin } = entryPositionOf(proof);
    const { index, size, signed } = checkTlogProof(proof, text, origin, verifiersOf(keys));
    step(`Its hash is included in the root of a log of ${count(size)} entries, at index ${count(index)}.`);
    step(`That root is signed by the key of ${signed[0]?.by.name ?? origin}.`);
    return signersOf(parseTlogProof(proof).checkpoint, origin, keys, witnesses);
  });
}

interface GrowthProof {
  /** Signed checkpoints. */
  older: string;
  newer: string;
  /** Hashes in base64. */
  proof: readonly string[];
  /** Verifier keys of the log and of its witnesses. */
  keys: readonly string[];
  witnesses: readonly string[];
}

/** Verifies that the log of the older checkpoint is a prefix of the log of the newer one. */
export function verifyConsistency({ older, newer, proof, keys, witnesses }: GrowthProof): VerificationResult {
  return inSteps((step) => {
    const { origin } = parseCheckpoint(splitNote(newer).text);
    const from = openCheckpoint(older, origin, verifiersOf(keys));
    step(`The earlier checkpoint, of ${count(from.size)} entries, is signed by the key of this log.`);
    const to = openCheckpoint(newer, origin, verifiersOf(keys));
    step(`The later checkpoint, of ${count(to.size)} entries, is signed by the key of this log.`);
    if (!isConsistent(from, to, proof.map(fromBase64))) {
      throw new Error('The later log does not contain the entries of the earlier log as its prefix');
    }
    step(`The first ${count(from.size)} entries of the later log are identical to those of the earlier log.`);
    return signersOf(newer, origin, keys, witnesses);
  });
}

/** Returns the size of a checkpoint. Throws if the note is malformed. */
export const checkpointSizeOf = (note: string): number => parseCheckpoint(splitNote(note).text).size;

function inSteps(work: (step: (message: string) => void) => Signer[]): VerificationResult {
  const steps: LedgerCheckStep[] = [];
  try {
    const signers = work((message) => steps.push({ ok: true, message }));
    return { ok: true, steps, signers };
  } catch (error) {
    return { ok: false, steps: [...steps, { ok: false, message: `${(error as Error).message}.` }], signers: [] };
  }
}

function signersOf(note: string, origin: string, keys: readonly string[], witnesses: readonly string[]): Signer[] {
  const { signed } = openCheckpoint(note, origin, verifiersOf([...keys, ...witnesses]));
  return signed.map(({ by, at }) => ({
    name: by.name,
    at: at === undefined ? undefined : new Date(at * 1000).toISOString(),
  }));
}

const verifiersOf = (keys: readonly string[]): Verifier[] => keys.map(parseVerifier);
const count = (number: number) => number.toLocaleString('en');
