import { hash } from 'node:crypto';

const block = 64;
const padded = new WeakMap<Buffer, { inner: Buffer; outer: Buffer }>();

/** The digest is read as a binary string, since Node needs four times as long to return a short hash as a buffer. */
export const sha256 = (data: string | Buffer): Buffer => Buffer.from(hash('sha256', data, 'binary'), 'binary');

/**
 * HMAC-SHA-256 (RFC 2104) of a text under a key of at most 64 bytes. Node's createHmac creates a key object on each
 * call, which costs thirty times as much as the two hashes; here the padded key is cached.
 */
export function hmacSha256(key: Buffer, text: string): Buffer {
  const { inner, outer } = padded.get(key) ?? pad(key);
  const message = Buffer.allocUnsafe(block + Buffer.byteLength(text));
  inner.copy(message);
  message.write(text, block);
  // The space after the pad is for the first digest.
  outer.write(hash('sha256', message, 'binary'), block, 'binary');
  return sha256(outer);
}

function pad(key: Buffer): { inner: Buffer; outer: Buffer } {
  if (key.length > block) throw new Error('A key longer than 64 bytes would have to be hashed first');
  const filled = Buffer.concat([key, Buffer.alloc(block - key.length)]);
  const pads = {
    inner: filled.map((byte) => byte ^ 0x36) as Buffer,
    outer: Buffer.concat([filled.map((byte) => byte ^ 0x5c), Buffer.alloc(32)]),
  };
  padded.set(key, pads);
  return pads;
}
