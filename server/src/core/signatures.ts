import { createHmac, timingSafeEqual } from 'node:crypto';

/** A signature over a body, verified while the body arrives. */
export interface SignatureCheck {
  update: (chunk: Buffer) => void;
  /** Call it once, after the last chunk. Compares in constant time. */
  isValid: () => boolean;
}

/** HMAC-SHA-256 of `prefix` and the body. `given` contains the signatures in the request, of which one must match. */
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

/** For a sender that authenticates without a signature over the body. */
export const unsignedBody: SignatureCheck = { update: () => undefined, isValid: () => true };

/** Valid if one of several signatures is; undefined if the sender provided none. */
export function anySignature(checks: readonly (SignatureCheck | undefined)[]): SignatureCheck | undefined {
  const named = checks.filter((check) => check !== undefined);
  if (named.length < 2 || named.includes(unsignedBody))
    return named.find((check) => check === unsignedBody) ?? named[0];
  return {
    update(chunk) {
      for (const check of named) check.update(chunk);
    },
    isValid: () => named.filter((check) => check.isValid()).length > 0,
  };
}

/**
 * The secrets that webhook deliveries may be signed with. `until` is the expiry of the previous secret; null while the
 * sender does not have the new one.
 */
export const acceptedSecrets = <Secret>(secret: Secret, previous: Secret | null, until: Date | null): Secret[] =>
  previous !== null && (until === null || until > new Date()) ? [secret, previous] : [secret];

/**
 * How long the previous secret of a webhook is accepted after the sender has the new one, since deliveries may be in
 * transit.
 */
export const previousSecretMinutes = 10;
