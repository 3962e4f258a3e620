import { hashes, sign as signEd25519, verify as verifyEd25519 } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import { type Bytes, concat, fromBase64, utf8 } from './bytes.ts';
import { hashSize } from './tree.ts';

hashes.sha512 = sha512;

/**
 * How a note is signed: by its log with `ed25519`, or by a witness with its name and time (C2SP tlog-cosignature), which
 * ML-DSA-44 makes safe against quantum computers.
 */
export type Algorithm = 'ed25519' | 'ed25519-cosignature' | 'ml-dsa-44-cosignature';

export interface NoteAlgorithm {
  /** The first byte of the key in its text form. */
  number: number;
  keyBytes: number;
  signatureBytes: number;
  /** Whether eight bytes with the time precede the signature. */
  isTimed: boolean;
  /** The signed bytes. Throws for a text that the algorithm cannot sign. */
  messageOf: (text: string, cosigner: string, at: number) => Bytes;
  sign: (message: Bytes, secretKey: Bytes) => Bytes;
  verify: (signature: Bytes, message: Bytes, publicKey: Bytes) => boolean;
}

const ed25519 = {
  keyBytes: 32,
  signatureBytes: 64,
  sign: (message: Bytes, secretKey: Bytes) => signEd25519(message, secretKey),
  verify: (signature: Bytes, message: Bytes, publicKey: Bytes) =>
    verifyEd25519(signature, message, publicKey, { zip215: false }),
};

export const noteAlgorithms: Record<Algorithm, NoteAlgorithm> = {
  ed25519: { ...ed25519, number: 1, isTimed: false, messageOf: utf8 },
  'ed25519-cosignature': {
    ...ed25519,
    number: 4,
    isTimed: true,
    messageOf: (text, _, at) => utf8(`cosignature/v1\ntime ${at}\n${text}`),
  },
  'ml-dsa-44-cosignature': {
    number: 6,
    keyBytes: 1312,
    signatureBytes: 2420,
    isTimed: true,
    messageOf: cosignedMessage,
    sign: (message, seed) => new Uint8Array(ml_dsa44.sign(message, ml_dsa44.keygen(seed).secretKey)),
    verify: (signature, message, publicKey) => ml_dsa44.verify(signature, message, publicKey),
  },
};

/** The public key of a seed of 32 bytes. */
export const mlDsa44PublicKeyOf = (seed: Bytes): Bytes => new Uint8Array(ml_dsa44.keygen(seed).publicKey);

/** The `cosigned_message` of tlog-cosignature for a checkpoint, which is a subtree that begins at leaf 0. */
function cosignedMessage(text: string, cosigner: string, at: number): Bytes {
  const [origin = '', size = '', root = ''] = text.split('\n');
  const hash = fromBase64(root);
  if (!/^\d{1,16}$/.test(size) || hash.length !== hashSize) throw new Error('A cosignature needs a checkpoint');
  return concat(
    utf8('subtree/v1\n\0'),
    withLength(cosigner),
    uint64(at),
    withLength(origin),
    uint64(0),
    uint64(Number(size)),
    hash,
  );
}

function withLength(text: string): Bytes {
  const bytes = utf8(text);
  if (bytes.length === 0 || bytes.length > 255) throw new Error('A name in a cosignature has 1 to 255 bytes');
  return concat(Uint8Array.of(bytes.length), bytes);
}

/** Big-endian. */
export function uint64(value: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}
