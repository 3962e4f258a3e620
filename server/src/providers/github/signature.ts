import { hmacCheck, type SignatureCheck } from '#core/signatures.ts';

/** Checks `sha256=` and 64 hex digits; undefined for a header of another form. */
export function signatureOf(secret: string, header: string): SignatureCheck | undefined {
  const digits = /^sha256=([0-9a-f]{64})$/i.exec(header)?.[1];
  return digits === undefined ? undefined : hmacCheck(secret, [Buffer.from(digits, 'hex')]);
}
