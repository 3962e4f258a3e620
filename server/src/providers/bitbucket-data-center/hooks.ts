import { z } from 'zod';
import { type HostHooks, HostRefused } from '#providers/code-host.ts';
import type { HostRef } from '../host-facts.ts';
import { repositoryPath } from './paths.ts';
import { hostId } from './shapes.ts';
import type { DataCenterApi, DataCenterRequest } from './transport.ts';

/** The subscribed events. No event tells a change of branch permissions or access; both are read regularly. */
const events = [
  'repo:refs_changed',
  'repo:modified',
  'pr:opened',
  'pr:from_ref_updated',
  'pr:modified',
  'pr:reviewer:updated',
  'pr:reviewer:approved',
  'pr:reviewer:unapproved',
  'pr:merged',
  'pr:declined',
  'pr:deleted',
];
/** The name of a decision against a merge, which version 9 changed. An instance rejects unknown names. */
const rejections = ['pr:reviewer:needs_work', 'pr:reviewer:changes_requested'] as const;

const createdHook = z.object({ id: hostId });

/** Webhooks of repositories, which need the right to administer the repository. */
export const createHooks = (api: DataCenterApi): HostHooks => ({
  createHook: async (ref, hook) =>
    createdHook.parse(await send(api, { path: `${repositoryPath(ref)}/webhooks`, method: 'POST', hook })).id,
  async setHookSecret(ref, hookId, hook) {
    await send(api, { path: hookPath(ref, hookId), method: 'PUT', hook });
  },
  async deleteHook(ref, hookId) {
    await api.json(hookPath(ref, hookId), { method: 'DELETE' }).catch((error: unknown) => {
      if (!(error instanceof HostRefused && error.status === 404)) throw error;
    });
  },
});

const hookPath = (ref: HostRef, id: string): string => `${repositoryPath(ref)}/webhooks/${encodeURIComponent(id)}`;

async function send(
  api: DataCenterApi,
  { path, method, hook }: { path: string; method: DataCenterRequest['method']; hook: { url: string; secret: string } },
): Promise<unknown> {
  const ask = async (rejection: string) =>
    (await api.json(path, { ...(method && { method }), body: bodyOf(hook, [...events, rejection]) })).data;
  try {
    return await ask(rejections[0]);
  } catch (error) {
    if (!(error instanceof HostRefused && error.status === 400)) throw error;
    return ask(rejections[1]);
  }
}

const bodyOf = ({ url, secret }: { url: string; secret: string }, subscribed: readonly string[]) => ({
  name: 'Sightline',
  url,
  active: true,
  events: subscribed,
  configuration: { secret },
  sslVerificationRequired: true,
});
