import { type Bytes, concat, fromHex, toBase64, toHex } from './bytes.ts';
import { sha256 } from './sha256.ts';

// The prefix of the 32 bytes of an Ed25519 public key in SubjectPublicKeyInfo (RFC 8410, 4).
const spkiPrefix = fromHex('302a300506032b6570032100');

const spkiOf = (publicKey: Bytes): Bytes => concat(spkiPrefix, publicKey);

/** An Ed25519 public key as PEM (RFC 7468). */
export const pemOf = (publicKey: Bytes): string =>
  `-----BEGIN PUBLIC KEY-----\n${toBase64(spkiOf(publicKey))}\n-----END PUBLIC KEY-----\n`;

/** The ID of an Ed25519 public key in signed statements: SHA-256 of its DER form, in hexadecimal. */
export const keyIdOf = (publicKey: Bytes): string => toHex(sha256(spkiOf(publicKey)));
