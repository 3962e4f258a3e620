import { fromBase64 } from '@sightline/evidence/ledger/bytes.ts';
import { openCheckpoint, parseCheckpoint } from '@sightline/evidence/ledger/checkpoint.ts';
import { type Entry, parseEntry } from '@sightline/evidence/ledger/entry.ts';
import { parseVerifier, partsOf, type Verifier } from '@sightline/evidence/ledger/note.ts';
import { isConsistent } from '@sightline/evidence/ledger/proofs.ts';
import { checkTlogProof, parseTlogProof } from '@sightline/evidence/ledger/tlog-proof.ts';

/** What was checked, one after the other; the first that fails is the last. */
export interface LedgerCheckStep {
  ok: boolean;
  says: string;
}

/** Who signed or cosigned, and when a witness says that it did. */
export interface Signer {
  name: string;
  /** RFC 3339; undefined for the log itself. */
  at: string | undefined;
}

export interface Verified {
  ok: boolean;
  steps: LedgerCheckStep[];
  signers: Signer[];
}

/** Where an entry stands and in which log, as its proof says; nothing is checked yet. Throws for what is no proof. */
export function placeOf(proof: string): { index: number; origin: string; size: number; epoch: number } {
  const { index, checkpoint } = parseTlogProof(proof);
  const { origin, size } = parseCheckpoint(partsOf(checkpoint).text);
  return { index, origin, size, epoch: Number(origin.slice(origin.lastIndexOf('/') + 1)) };
}

/** Checks that an entry is in the log that these keys sign, with nothing but its text, its proof and the keys. */
export function verifyEntry(
  text: string,
  proof: string,
  keys: readonly string[],
  witnesses: readonly string[],
): Verified {
  return inSteps((step) => {
    const entry: Entry = parseEntry(text);
    step(`The text is the canonical form of entry ${entry.id}.`);
    const { origin } = placeOf(proof);
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

/** Checks that the log of the older checkpoint is a prefix of that of the newer one. */
export function verifyGrowth({ older, newer, proof, keys, witnesses }: GrowthProof): Verified {
  return inSteps((step) => {
    const { origin } = parseCheckpoint(partsOf(newer).text);
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

/** The size that a checkpoint names. Throws for what is none. */
export const sizeOf = (note: string): number => parseCheckpoint(partsOf(note).text).size;

function inSteps(work: (step: (says: string) => void) => Signer[]): Verified {
  const steps: LedgerCheckStep[] = [];
  try {
    const signers = work((says) => steps.push({ ok: true, says }));
    return { ok: true, steps, signers };
  } catch (error) {
    return { ok: false, steps: [...steps, { ok: false, says: `${(error as Error).message}.` }], signers: [] };
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
