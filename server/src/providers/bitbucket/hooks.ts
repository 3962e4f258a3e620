import { z } from 'zod';
import { type HostHooks, HostRefused } from '#providers/code-host.ts';
import { rootOf } from './reads.ts';
import { segment, type Transport } from './transport.ts';

/** What we ask to be told of. Of a repository that is moved or deleted its webhooks tell nothing: listing shows it. */
const wantedEvents: readonly string[] = [
  ...['repo:push', 'repo:updated'],
  ...['pullrequest:created', 'pullrequest:updated', 'pullrequest:fulfilled', 'pullrequest:rejected'],
  ...['pullrequest:approved', 'pullrequest:unapproved'],
  ...['pullrequest:changes_request_created', 'pullrequest:changes_request_removed'],
];

const made = z.object({ uuid: z.string().min(1) });

/** Webhooks of repositories. Needs the scope `webhook`, and administering the repository. */
export const createHooks = ({ json }: Transport): HostHooks => ({
  async createHook(ref, hook) {
    return made.parse(await json(`${rootOf(ref)}/hooks`, { method: 'POST', body: bodyOf(hook) })).uuid;
  },

  async setHookSecret(ref, hookId, hook) {
    await json(`${rootOf(ref)}/hooks/${segment(hookId)}`, { method: 'PUT', body: bodyOf(hook) });
  },

  async deleteHook(ref, hookId) {
    await json(`${rootOf(ref)}/hooks/${segment(hookId)}`, { method: 'DELETE' }).catch((error: unknown) => {
      if (!(error instanceof HostRefused && error.status === 404)) throw error;
    });
  },
});

const bodyOf = (hook: { url: string; secret: string }) => ({
  description: 'Sightline',
  active: true,
  events: wantedEvents,
  ...hook,
});
