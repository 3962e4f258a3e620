import { hmacCheck, type SignatureCheck } from '#core/signatures.ts';

/** Parses a signature header: `sha256=` and 64 hexadecimal digits; undefined for another format. */
export function signatureOf(secret: string, header: string): SignatureCheck | undefined {
  const digits = /^sha256=([0-9a-f]{64})$/i.exec(header)?.[1];
  return digits === undefined ? undefined : hmacCheck(secret, [Buffer.from(digits, 'hex')]);
}
