import { randomBytes } from 'node:crypto';
import { signingSecretPrefix } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { hmacSha256 } from './hmac.ts';

// Standard Webhooks requires 24 to 64 bytes.
const secretBytes = 32;

/** Creates a signing secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const newSigningSecret = (): string => `${signingSecretPrefix}${randomBytes(secretBytes).toString('base64')}`;

/** The three headers of Standard Webhooks, signed with each of the secrets. `at` is in milliseconds. */
function signedHeaders(
  id: string,
  at: number,
  body: string,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(signingSecretPrefix.length), 'base64');
    return `v1,${hmacSha256(key, `${id}.${timestamp}.${body}`).toString('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** A request that posts JSON, signed under each of the secrets. */
export const signedPost = (id: string, body: string, secrets: readonly string[]) => ({
  method: 'POST' as const,
  headers: {
    'content-type': 'application/json',
    'user-agent': 'Sightline-Webhooks/1',
    ...signedHeaders(id, Date.now(), body, secrets),
  },
  body,
});
