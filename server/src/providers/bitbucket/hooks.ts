import { z } from 'zod';
import { type HostHooks, HostRefused } from '#providers/code-host.ts';
import { repositoryPathOf } from './reads.ts';
import { type BitbucketTransport, pathSegment } from './transport.ts';

/** The subscribed events. Webhooks do not report a moved or deleted repository; the repository list does. */
const subscribedEvents: readonly string[] = [
  ...['repo:push', 'repo:updated'],
  ...['pullrequest:created', 'pullrequest:updated', 'pullrequest:fulfilled', 'pullrequest:rejected'],
  ...['pullrequest:approved', 'pullrequest:unapproved'],
  ...['pullrequest:changes_request_created', 'pullrequest:changes_request_removed'],
];

const createdHook = z.object({ uuid: z.string().min(1) });

/** Webhooks of repositories. Needs the scope `webhook` and the administrator role in the repository. */
export const createHooks = ({ json }: BitbucketTransport): HostHooks => ({
  async createHook(ref, hook) {
    return createdHook.parse(await json(`${repositoryPathOf(ref)}/hooks`, { method: 'POST', body: bodyOf(hook) })).uuid;
  },

  async setHookSecret(ref, hookId, hook) {
    await json(`${repositoryPathOf(ref)}/hooks/${pathSegment(hookId)}`, { method: 'PUT', body: bodyOf(hook) });
  },

  async deleteHook(ref, hookId) {
    await json(`${repositoryPathOf(ref)}/hooks/${pathSegment(hookId)}`, { method: 'DELETE' }).catch(
      (error: unknown) => {
        if (!(error instanceof HostRefused && error.status === 404)) throw error;
      },
    );
  },
});

const bodyOf = (hook: { url: string; secret: string }) => ({
  description: 'Sightline',
  active: true,
  events: subscribedEvents,
  ...hook,
});
