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
  async createHook(ref, { url, secret }) {
    const body = { description: 'Sightline', url, secret, active: true, events: wantedEvents };
    return made.parse(await json(`${rootOf(ref)}/hooks`, { method: 'POST', body })).uuid;
  },

  async deleteHook(ref, hookId) {
    await json(`${rootOf(ref)}/hooks/${segment(hookId)}`, { method: 'DELETE' }).catch((error: unknown) => {
      if (!(error instanceof HostRefused && error.status === 404)) throw error;
    });
  },
});
