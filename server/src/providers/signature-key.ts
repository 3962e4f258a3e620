import { createHash } from 'node:crypto';

/**
 * The key that made a signature of a commit, verified or not: `ssh:` with the SHA-256 of the public key in hex, or `pgp:`
 * with the ID of the key. Undefined for certificates, which are new for each signature, and for anything else.
 */
export function signatureKeyOf(armored: string): string | undefined {
  const [, kind, body] =
    /-----BEGIN (SSH|PGP) SIGNATURE-----\r?\n([\s\S]*?)-----END \1 SIGNATURE-----/.exec(armored) ?? [];
  if (kind === undefined || body === undefined) return undefined;
  try {
    return kind === 'SSH' ? sshKeyOf(decode(body)) : pgpKeyOf(decode(body));
  } catch {
    // The bytes end early.
    return undefined;
  }
}

/** Decodes base64 lines. A PGP body may begin with headers and an empty line, and ends with a checksum. */
function decode(body: string): Buffer {
  const [, text = body] = /^(?:[A-Za-z-]+: .*\r?\n)*\r?\n([\s\S]*)$/.exec(body) ?? [];
  return Buffer.from(text.replace(/^=.*$/m, ''), 'base64');
}

/** The format of OpenSSH: `SSHSIG`, the version, and the public key with its length. */
function sshKeyOf(bytes: Buffer): string | undefined {
  if (bytes.toString('latin1', 0, 6) !== 'SSHSIG' || bytes.readUInt32BE(6) !== 1) return undefined;
  const length = bytes.readUInt32BE(10);
  const key = bytes.subarray(14, 14 + length);
  return length > 0 && key.length === length ? `ssh:${createHash('sha256').update(key).digest('hex')}` : undefined;
}

/** RFC 9580: a signature packet of version 4, whose subpackets name the issuer by fingerprint or ID. */
function pgpKeyOf(bytes: Buffer): string | undefined {
  const packet = packetOf(bytes);
  if (packet?.readUInt8(0) !== 4) return undefined;
  const hashed = packet.readUInt16BE(4);
  const unhashed = packet.readUInt16BE(6 + hashed);
  const found = [packet.subarray(6, 6 + hashed), packet.subarray(8 + hashed, 8 + hashed + unhashed)].flatMap(issuersIn);
  return found[0] === undefined ? undefined : `pgp:${found[0].toString('hex')}`;
}

/** The body of the first packet, if it is a signature. */
function packetOf(bytes: Buffer): Buffer | undefined {
  const tag = bytes.readUInt8(0);
  const isNew = (tag & 0x40) !== 0;
  if ((isNew ? tag & 0x3f : (tag >> 2) & 0x0f) !== 2) return undefined;
  if (isNew) {
    const { length, next } = lengthAt(bytes, 1);
    return bytes.subarray(next, next + length);
  }
  const size = [1, 2, 4][tag & 3];
  if (size === undefined) return undefined;
  return bytes.subarray(1 + size, 1 + size + bytes.readUIntBE(1, size));
}

const ISSUER = 16;
const ISSUER_FINGERPRINT = 33;
const ID_BYTES = 8;

/** The IDs of keys in subpackets. The ID is the end of a fingerprint of version 4. */
function issuersIn(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { length, next } = lengthAt(bytes, at);
    const kind = bytes.readUInt8(next) & 0x7f;
    const content = bytes.subarray(next + 1, next + length);
    if (kind === ISSUER || (kind === ISSUER_FINGERPRINT && content[0] === 4)) found.push(content.subarray(-ID_BYTES));
    at = next + length;
  }
  return found.filter(({ length }) => length === ID_BYTES);
}

function lengthAt(bytes: Buffer, at: number): { length: number; next: number } {
  const first = bytes.readUInt8(at);
  if (first < 192) return { length: first, next: at + 1 };
  if (first < 255) return { length: ((first - 192) << 8) + bytes.readUInt8(at + 1) + 192, next: at + 2 };
  return { length: bytes.readUInt32BE(at + 1), next: at + 5 };
}
