import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { hmacCheck, type SignatureCheck, unsignedBody } from '#core/signatures.ts';
import { type HostHooks, HostRefused } from '#providers/code-host.ts';
import { projectOf } from './reads.ts';
import { hostId } from './shapes.ts';
import type { GitlabApi } from './transport.ts';

const createdHook = z.object({ id: hostId });

/**
 * Webhooks of projects. Instances sign with a key derived from the secret; older ones send a token derived from it.
 * Needs the scope `api` and the role Maintainer.
 */
export const createHooks = (ask: GitlabApi): HostHooks => ({
  async createHook(ref, hook) {
    return createdHook.parse((await ask(`${projectOf(ref)}/hooks`, { method: 'POST', body: bodyOf(hook) })).data).id;
  },
  async setHookSecret(ref, hookId, hook) {
    await ask(`${projectOf(ref)}/hooks/${encodeURIComponent(hookId)}`, { method: 'PUT', body: bodyOf(hook) });
  },
  async deleteHook(ref, hookId) {
    await ask(`${projectOf(ref)}/hooks/${encodeURIComponent(hookId)}`, { method: 'DELETE' }).catch((error: unknown) => {
      if (!(error instanceof HostRefused && (error.status === 404 || error.status === 410))) throw error;
    });
  },
});

const bodyOf = ({ url, secret }: { url: string; secret: string }) => ({
  url,
  token: tokenOf(secret),
  signing_token: `whsec_${keyOf(secret).toString('base64')}`,
  enable_ssl_verification: url.startsWith('https:'),
  push_events: true,
  tag_push_events: true,
  merge_requests_events: true,
  issues_events: false,
});

// The token is sent in plain text and does not reveal the secret.
const tokenOf = (secret: string): string => createHmac('sha256', secret).update('gitlab token').digest('hex');
const keyOf = (secret: string): Buffer => createHmac('sha256', secret).update('gitlab signature').digest();

/** The maximum age and clock skew of a signature in seconds. */
const tolerance = 300;

/**
 * Parses the signature of a webhook, or verifies the token of instances without signatures. Undefined if the headers
 * have no valid proof. `now`: in epoch milliseconds.
 */
export function gitlabSignatureOf(
  secret: string,
  header: (name: string) => string,
  { mustSign = false, now = Date.now() }: { mustSign?: boolean; now?: number } = {},
): SignatureCheck | undefined {
  const signatures = header('webhook-signature');
  if (signatures === '') {
    return !mustSign && isSame(tokenOf(secret), header('x-gitlab-token')) ? unsignedBody : undefined;
  }
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= tolerance)) return undefined;
  const candidates = signatures.split(' ').filter((signature) => signature.startsWith('v1,'));
  const decoded = candidates.map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'));
  return hmacCheck(keyOf(secret), decoded, `${id}.${timestamp}.`);
}

const isSame = (expected: string, actual: string): boolean => {
  const [one, other] = [Buffer.from(expected), Buffer.from(actual)];
  return one.length === other.length && timingSafeEqual(one, other);
};
