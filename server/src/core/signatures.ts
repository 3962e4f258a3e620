import { createHmac, timingSafeEqual } from 'node:crypto';

/** The signature that a sender put over a body, checked while the body arrives. */
export interface SignatureCheck {
  update: (chunk: Buffer) => void;
  /** Call it once, after the last chunk. Compares in constant time. */
  isValid: () => boolean;
}

/** HMAC-SHA-256 of `prefix` and the body. `given`: the signatures of the sender, of which one must match. */
export function hmacCheck(secret: string | Buffer, given: readonly Buffer[], prefix = ''): SignatureCheck | undefined {
  const signatures = given.filter(({ length }) => length === 32);
  if (signatures.length === 0) return undefined;
  const hmac = createHmac('sha256', secret).update(prefix);
  return {
    update: (chunk) => void hmac.update(chunk),
    isValid: () => {
      const expected = hmac.digest();
      return signatures.some((signature) => timingSafeEqual(signature, expected));
    },
  };
}

/** A sender that proves itself without a signature over the body. */
export const bodyUnsigned: SignatureCheck = { update: () => undefined, isValid: () => true };
