import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type HostHooks, HostRefused } from '#providers/code-host.ts';
import { projectOf } from './reads.ts';
import { hostId } from './shapes.ts';
import type { Ask } from './transport.ts';

const made = z.object({ id: hostId });

/**
 * Webhooks of projects. The secret is `whsec_` and 32 bytes in base64: instances that sign do so with it, older ones send
 * it along. The scope `api` and the role of a maintainer are needed.
 */
export const createHooks = (ask: Ask): HostHooks => ({
  async createHook(ref, { url, secret }) {
    const body = {
      ...{ url, token: tokenOf(secret), signing_token: secret, enable_ssl_verification: url.startsWith('https:') },
      ...{ push_events: true, tag_push_events: true, merge_requests_events: true, issues_events: false },
    };
    return made.parse((await ask(`${projectOf(ref)}/hooks`, { method: 'POST', body })).data).id;
  },
  async deleteHook(ref, hookId) {
    await ask(`${projectOf(ref)}/hooks/${encodeURIComponent(hookId)}`, { method: 'DELETE' }).catch((error: unknown) => {
      if (!(error instanceof HostRefused && (error.status === 404 || error.status === 410))) throw error;
    });
  },
});

/** What is sent along in the open stands for the secret and does not give it away. */
const tokenOf = (secret: string): string => createHmac('sha256', secret).update('gitlab token').digest('hex');

/** How far the clock of a signature may be from ours, in seconds. */
const tolerance = 300;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Whether a webhook comes from the GitLab that knows the secret: by its signature where it has one, else by the token sent
 * along; both are compared in constant time.
 */
export function isFromGitlab(secret: string, headers: Headers, body: Buffer, now = Date.now()): boolean {
  const one = (name: string) => String(headers[name] ?? '');
  const signatures = one('webhook-signature');
  if (signatures === '') return isSame(tokenOf(secret), one('x-gitlab-token'));
  const [id, timestamp] = [one('webhook-id'), one('webhook-timestamp')];
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= tolerance)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return signatures.split(' ').some((signature) => isSame(`v1,${expected}`, signature));
}

const isSame = (expected: string, given: string): boolean => {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
};
