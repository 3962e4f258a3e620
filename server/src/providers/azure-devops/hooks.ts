import { z } from 'zod';
import { type HostHooks, HostRefused } from '#providers/code-host.ts';
import type { HostRef } from '../host-facts.ts';
import { repositoryPath } from './reads.ts';
import { guid, project } from './shapes.ts';
import type { AzureDevopsApi } from './transport.ts';

/** The subscribed events. No event tells a change of policies or permissions; both are read regularly. */
export const hookEvents = ['git.push', 'git.pullrequest.created', 'git.pullrequest.updated', 'git.pullrequest.merged'];
export const hookUser = 'sightline';

const subscription = z.object({ id: z.string().min(1) });
const repository = z.object({ id: guid, project });
const path = '/_apis/hooks/subscriptions';

/**
 * Subscriptions of service hooks, one for each event; our ID of a webhook joins theirs. They need the permission to edit
 * subscriptions of the project.
 */
export const createHooks = (api: AzureDevopsApi): HostHooks => ({
  async createHook(ref, hook) {
    const created: string[] = [];
    try {
      for (const body of await bodiesOf(api, ref, hook))
        created.push(subscription.parse((await api.json(path, { method: 'POST', body })).data).id);
    } catch (error) {
      for (const id of created) await remove(api, id);
      throw error;
    }
    return created.join(' ');
  },
  async setHookSecret(ref, hookId, hook) {
    const bodies = await bodiesOf(api, ref, hook);
    for (const [index, id] of hookId.split(' ').entries())
      await api.json(subscriptionPath(id), { method: 'PUT', body: { id, ...bodies[index] } });
  },
  async deleteHook(_ref, hookId) {
    for (const id of hookId.split(' ')) await remove(api, id);
  },
});

const subscriptionPath = (id: string): string => `${path}/${encodeURIComponent(id)}`;

async function remove(api: AzureDevopsApi, id: string): Promise<void> {
  await api.json(subscriptionPath(id), { method: 'DELETE' }).catch((error: unknown) => {
    if (!(error instanceof HostRefused && error.status === 404)) throw error;
  });
}

async function bodiesOf(api: AzureDevopsApi, ref: HostRef, { url, secret }: { url: string; secret: string }) {
  const found = repository.parse((await api.json(repositoryPath(ref))).data);
  return hookEvents.map((eventType) => ({
    publisherId: 'tfs',
    eventType,
    resourceVersion: '1.0',
    consumerId: 'webHooks',
    consumerActionId: 'httpRequest',
    publisherInputs: { projectId: found.project.id, repository: found.id },
    consumerInputs: {
      url,
      // Deliveries have no signature: the password proves the sender.
      basicAuthUsername: hookUser,
      basicAuthPassword: secret,
      resourceDetailsToSend: 'all',
      messagesToSend: 'none',
      detailedMessagesToSend: 'none',
    },
  }));
}
