import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { bodyUnsigned, hmacCheck, type SignatureCheck } from '#core/signatures.ts';
import { type HostHooks, HostRefused } from '#providers/code-host.ts';
import { projectOf } from './reads.ts';
import { hostId } from './shapes.ts';
import type { Ask } from './transport.ts';

const made = z.object({ id: hostId });

/**
 * Webhooks of projects. Instances that sign do so with a key made from the secret, older ones send along what was made from
 * it. The scope `api` and the role of a maintainer are needed.
 */
export const createHooks = (ask: Ask): HostHooks => ({
  async createHook(ref, hook) {
    return made.parse((await ask(`${projectOf(ref)}/hooks`, { method: 'POST', body: bodyOf(hook) })).data).id;
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

// What is sent along in the open stands for the secret and does not give it away.
const tokenOf = (secret: string): string => createHmac('sha256', secret).update('gitlab token').digest('hex');
const keyOf = (secret: string): Buffer => createHmac('sha256', secret).update('gitlab signature').digest();

/** How far the clock of a signature may be from ours, in seconds: the age that a delivery may have. */
const tolerance = 300;

/**
 * Checks that a webhook comes from the GitLab that knows the secret: by its signature, or by the token that instances without
 * signatures send. Undefined where neither is valid as far as headers tell. `now` is in milliseconds.
 */
export function gitlabSignatureOf(
  secret: string,
  header: (name: string) => string,
  { mustSign = false, now = Date.now() }: { mustSign?: boolean; now?: number } = {},
): SignatureCheck | undefined {
  const signatures = header('webhook-signature');
  if (signatures === '') {
    return !mustSign && isSame(tokenOf(secret), header('x-gitlab-token')) ? bodyUnsigned : undefined;
  }
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= tolerance)) return undefined;
  const given = signatures.split(' ').filter((signature) => signature.startsWith('v1,'));
  const decoded = given.map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'));
  return hmacCheck(keyOf(secret), decoded, `${id}.${timestamp}.`);
}

const isSame = (expected: string, given: string): boolean => {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
};
