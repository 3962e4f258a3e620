import { hash } from 'node:crypto';

const block = 64;
const padded = new WeakMap<Buffer, { inner: Buffer; outer: Buffer }>();

/**
 * HMAC-SHA-256 (RFC 2104) of a text under a key of at most 64 bytes. Node's createHmac makes a key object at every
 * call, which costs thirty times the two hashes; here the padded key is kept beside the key.
 */
export function hmacSha256(key: Buffer, text: string): Buffer {
  const { inner, outer } = padded.get(key) ?? pad(key);
  const digest = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer');
  return hash('sha256', Buffer.concat([outer, digest]), 'buffer');
}

function pad(key: Buffer): { inner: Buffer; outer: Buffer } {
  if (key.length > block) throw new Error('A key longer than 64 bytes would have to be hashed first');
  const filled = Buffer.concat([key, Buffer.alloc(block - key.length)]);
  const pads = {
    inner: filled.map((byte) => byte ^ 0x36) as Buffer,
    outer: filled.map((byte) => byte ^ 0x5c) as Buffer,
  };
  padded.set(key, pads);
  return pads;
}
