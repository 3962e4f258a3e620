import { getPublicKey } from '@noble/ed25519';
import { type Bytes, concat, equalBytes, fromBase64, toBase64, toHex, utf8 } from './bytes.ts';
import { type Algorithm, noteAlgorithms } from './note-algorithms.ts';
import { sha256 } from './sha256.ts';

/** A public key for notes, as defined by C2SP signed-note. */
export interface Verifier {
  name: string;
  /** The first four bytes of SHA-256 over name and key. */
  id: Bytes;
  algorithm: Algorithm;
  publicKey: Bytes;
}

export interface VerifiedSignature {
  by: Verifier;
  /** Seconds since 1970, for a cosignature. */
  at: number | undefined;
}

export function verifierOf(name: string, publicKey: Bytes, algorithm: Algorithm = 'ed25519'): Verifier {
  if (!isName(name)) throw new Error('The name of a key must not contain spaces or a plus sign');
  const { number, keyBytes } = noteAlgorithms[algorithm];
  if (publicKey.length !== keyBytes) throw new Error(`A key of ${algorithm} has ${keyBytes} bytes`);
  const typed = concat(Uint8Array.of(number), publicKey);
  return { name, id: sha256(concat(utf8(`${name}\n`), typed)).slice(0, idBytes), algorithm, publicKey };
}

/** The key in text form for verifiers: `name+id+key`. */
export const verifierText = ({ name, id, algorithm, publicKey }: Verifier): string =>
  `${name}+${toHex(id)}+${toBase64(concat(Uint8Array.of(noteAlgorithms[algorithm].number), publicKey))}`;

const algorithms = Object.keys(noteAlgorithms) as Algorithm[];

/** Throws for an invalid key, or a mismatched ID. */
export function parseVerifier(text: string): Verifier {
  const [name, id, ...rest] = text.trim().split('+');
  // The base64 of a key can contain plus signs.
  const typed = fromBase64(rest.join('+'));
  const algorithm = algorithms.find((one) => noteAlgorithms[one].number === typed[0]);
  if (name === undefined || algorithm === undefined) throw new Error('Not a verification key');
  const verifier = verifierOf(name, typed.slice(1), algorithm);
  if (toHex(verifier.id) !== id) throw new Error('The ID of the key does not match the key');
  return verifier;
}

export const publicKeyOf = (secretKey: Bytes): Bytes => getPublicKey(secretKey);

/** A signer of notes: its name, public key and signing function. */
export interface Signer {
  name: string;
  publicKey: Bytes;
  sign: (message: Bytes) => Bytes;
}

/** A signer in pure JavaScript. Platforms may provide faster ones. */
export const signerOf = (name: string, secretKey: Bytes): Signer => ({
  name,
  publicKey: publicKeyOf(secretKey),
  sign: (message) => noteAlgorithms.ed25519.sign(message, secretKey),
});

/** Signs a text that ends with a line break. Throws for a text that a note cannot contain. */
export function signNote(text: string, { name, publicKey, sign }: Signer): string {
  if (!isNoteText(text)) throw new Error('A note cannot contain this text');
  const { id } = verifierOf(name, publicKey);
  return `${text}\n${signatureLine(name, concat(id, sign(utf8(text))))}`;
}

export const signatureLine = (name: string, signature: Bytes): string => `— ${name} ${toBase64(signature)}\n`;

export interface SignedNote {
  text: string;
  /** The given verifiers with a valid signature; at least one. */
  signed: VerifiedSignature[];
}

/**
 * Parses a note and verifies it with the given keys. Signatures of unknown keys are ignored. Throws without a signature
 * of a known key, for any wrong signature of a known key, also after a valid one, and for an invalid note.
 */
export function openNote(note: string, verifiers: readonly Verifier[]): SignedNote {
  const { text, lines } = splitNote(note);
  const signed: VerifiedSignature[] = [];
  for (const { name, bytes } of lines.map(parseLine)) {
    const by = verifiers.find((one) => one.name === name && equalBytes(one.id, bytes.subarray(0, idBytes)));
    if (by === undefined) continue;
    const at = checked(by, text, bytes.subarray(idBytes));
    if (!signed.some((one) => one.by === by)) signed.push({ by, at });
  }
  if (signed.length === 0) throw new Error('The note is not signed with any of the given keys');
  return { text, signed };
}

/** The names of the keys in the signature lines of a note, which are not verified. */
export const signerNamesIn = (note: string): string[] => splitNote(note).lines.map((line) => parseLine(line).name);

/** Splits a note without verifying signatures. */
export function splitNote(note: string): { text: string; lines: string[] } {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const signatures = note.slice(end + 2);
  if (end < 0 || !isNoteText(text) || !signatures.endsWith('\n')) throw new Error('Not a signed note');
  const lines = signatures.slice(0, -1).split('\n');
  if (lines.length > mostSignatures) throw new Error('The note has too many signatures');
  return { text, lines };
}

const mostSignatures = 100;

function parseLine(line: string): { name: string; bytes: Bytes } {
  const [dash, name, signature, ...rest] = line.split(' ');
  if (dash !== '—' || name === undefined || !isName(name) || signature === undefined || rest.length > 0) {
    throw new Error('A signature line of the note is invalid');
  }
  const bytes = fromBase64(signature);
  if (bytes.length <= idBytes) throw new Error('A signature of the note is too short');
  return { name, bytes };
}

/** Throws for a wrong signature. Returns its time, if it contains one. */
function checked({ name, algorithm, publicKey }: Verifier, text: string, signature: Bytes): number | undefined {
  const { isTimed, signatureBytes, messageOf, verify } = noteAlgorithms[algorithm];
  const prefix = isTimed ? timeBytes : 0;
  if (signature.length !== prefix + signatureBytes) throw new Error(`The signature of ${name} has an invalid length`);
  const at = isTimed ? timeOf(signature) : undefined;
  if (!verify(signature.subarray(prefix), messageOf(text, name, at ?? 0), publicKey)) {
    throw new Error(`The signature of ${name} is invalid`);
  }
  return at;
}

const timeOf = ({ buffer, byteOffset }: Bytes): number =>
  Number(new DataView(buffer, byteOffset, timeBytes).getBigUint64(0));

const [idBytes, timeBytes] = [4, 8];

const isName = (name: string): boolean => name !== '' && name.isWellFormed() && !/[\s\p{White_Space}+]/u.test(name);

// Rejects control characters, so that a terminal displays only signed text.
const isNoteText = (text: string): boolean =>
  text.endsWith('\n') && text.isWellFormed() && !/\p{Cc}/u.test(text.replaceAll('\n', ''));
