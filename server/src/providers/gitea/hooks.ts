import { z } from 'zod';
import { type HostHooks, HostRefused } from '#providers/code-host.ts';
import { repositoryPath } from './reads.ts';
import { hostId } from './shapes.ts';
import type { GiteaApi } from './transport.ts';

/** The subscribed events. No event tells a change of branch protection or access; both are read regularly. */
const events = ['push', 'create', 'delete', 'pull_request', 'pull_request_review', 'pull_request_sync', 'repository'];

const createdHook = z.object({ id: hostId });

/** Webhooks of repositories, which need the right to administer the repository. */
export const createHooks = (api: GiteaApi): HostHooks => ({
  async createHook(ref, hook) {
    const body = { type: 'gitea', ...bodyOf(hook) };
    return createdHook.parse((await api.json(`${repositoryPath(ref)}/hooks`, { method: 'POST', body })).data).id;
  },
  async setHookSecret(ref, hookId, hook) {
    await api.json(hookPath(ref, hookId), { method: 'PATCH', body: bodyOf(hook) });
  },
  async deleteHook(ref, hookId) {
    await api.json(hookPath(ref, hookId), { method: 'DELETE' }).catch((error: unknown) => {
      if (!(error instanceof HostRefused && error.status === 404)) throw error;
    });
  },
});

const hookPath = (ref: Parameters<typeof repositoryPath>[0], id: string): string =>
  `${repositoryPath(ref)}/hooks/${encodeURIComponent(id)}`;

const bodyOf = ({ url, secret }: { url: string; secret: string }) => ({
  active: true,
  // Without it, an update would keep the former filter.
  branch_filter: '*',
  events,
  config: { url, content_type: 'json', secret },
});
