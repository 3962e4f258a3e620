import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
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
  async createHook(ref, { url, secret }) {
    const body = {
      ...{
        url,
        token: tokenOf(secret),
        signing_token: `whsec_${keyOf(secret).toString('base64')}`,
        enable_ssl_verification: url.startsWith('https:'),
      },
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

// What is sent along in the open stands for the secret and does not give it away.
const tokenOf = (secret: string): string => createHmac('sha256', secret).update('gitlab token').digest('hex');
const keyOf = (secret: string): Buffer => createHmac('sha256', secret).update('gitlab signature').digest();

/** How far the clock of a signature may be from ours, in seconds. */
const tolerance = 300;

/**
 * Whether a webhook comes from the GitLab that knows the secret: by its signature where it has one, else by the token sent
 * along; both are compared in constant time. `header` answers '' for one that is not there; `now` is in milliseconds.
 */
export function isFromGitlab(
  secret: string,
  body: Buffer,
  header: (name: string) => string,
  now: number = Date.now(),
): boolean {
  const signatures = header('webhook-signature');
  if (signatures === '') return isSame(tokenOf(secret), header('x-gitlab-token'));
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= tolerance)) return false;
  const expected = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return signatures.split(' ').some((signature) => isSame(`v1,${expected}`, signature));
}

const isSame = (expected: string, given: string): boolean => {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
};
