import { type Bytes, concat } from './bytes.ts';
import { publicKeyOf, signatureLine, splitNote, type Verifier, verifierOf } from './note.ts';
import { type Algorithm, mlDsa44PublicKeyOf, noteAlgorithms, uint64 } from './note-algorithms.ts';

/** A key of a witness. The secret key of ML-DSA-44 is its seed; each has 32 bytes. */
export interface Cosigner {
  verifier: Verifier;
  secretKey: Bytes;
}

export const cosignerOf = (name: string, algorithm: Exclude<Algorithm, 'ed25519'>, secretKey: Bytes): Cosigner => ({
  verifier: verifierOf(
    name,
    algorithm === 'ml-dsa-44-cosignature' ? mlDsa44PublicKeyOf(secretKey) : publicKeyOf(secretKey),
    algorithm,
  ),
  secretKey,
});

/**
 * The signature line of a witness for a checkpoint, with the time in seconds since 1970. It states that the log is
 * append-only since the last cosigned size (C2SP tlog-cosignature).
 */
export function cosign(note: string, { verifier, secretKey }: Cosigner, at: number): string {
  const { name, id, algorithm } = verifier;
  const { messageOf, sign } = noteAlgorithms[algorithm];
  const message = messageOf(splitNote(note).text, name, at);
  return signatureLine(name, concat(id, uint64(at), sign(message, secretKey)));
}

/** Appends signature lines to a note, without duplicates. */
export function withSignatures(note: string, lines: readonly string[]): string {
  const known = new Set(splitNote(note).lines);
  const more = [...new Set(lines)].filter((line) => !known.has(line.replace(/\n$/, '')));
  return `${note}${more.join('')}`;
}
