import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether `signature` (`sha256=` and 64 hex digits) was made over these bytes with the secret; in constant time. */
export function isSigned(secret: string, body: Buffer, signature: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(/^sha256=([0-9a-f]{64})$/i.exec(signature)?.[1] ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
