import { createPublicKey } from 'node:crypto';
import formbody from '@fastify/formbody';
import Fastify from 'fastify';
import { appRoutes, deliveryRoutes } from './github/app.ts';
import { commitRoutes } from './github/commits.ts';
import { contentRoutes } from './github/contents.ts';
import { tagAnswers } from './github/etags.ts';
import { createHost, type Host } from './github/host.ts';
import { fullLimit, limitRequests } from './github/limits.ts';
import { pullRoutes } from './github/pulls.ts';
import { answerRefusals } from './github/refusal.ts';
import { repositoryRoutes } from './github/repositories.ts';
import { userRoutes } from './github/users.ts';
import { createWebhooks } from './github/webhooks.ts';

/**
 * `repositories`: paths of git repositories. `deliverTo`: where webhooks go; none are made without it.
 * One of the two keys is enough. `pollMs`: how often refs are looked at, besides file system events (default 1000).
 * `rateLimit`: requests an hour (default 15 000, as for an enterprise installation). Port 0 picks a free one.
 */
export type SandboxOptions = {
  port: number;
  repositories: string[];
  host?: string;
  deliverTo?: string;
  webhookSecret: string;
  appId: number;
  appSlug?: string;
  privateKeyPem?: string;
  publicKeyPem?: string;
  clientId: string;
  clientSecret: string;
  setupUrl?: string;
  callbackUrl?: string;
  pollMs?: number;
  rateLimit?: number;
};

export type Sandbox = { url: string; host: Host; close: () => Promise<void> };

/** Starts a local GitHub over these repositories. Throws when a path holds none or the port is taken. */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const key = options.publicKeyPem ?? options.privateKeyPem;
  if (key === undefined) throw new Error('The sandbox needs the key of the app: privateKeyPem or publicKeyPem.');
  const webhooks = createWebhooks(options.appId, options.webhookSecret, options.deliverTo);
  const { appId, appSlug: slug = 'sightline-sandbox', clientId, clientSecret, setupUrl, callbackUrl } = options;
  const app = { appId, slug, publicKey: createPublicKey(key), clientId, clientSecret, setupUrl, callbackUrl };
  const host = await createHost(options.repositories, app, webhooks);
  const limit = fullLimit(options.rateLimit ?? 15_000);

  const server = Fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 1000 } });
  answerRefusals(server);
  await server.register(formbody);
  await server.register(
    async (rest) => {
      limitRequests(rest, limit);
      tagAnswers(rest);
      for (const routes of restRoutes) routes(rest, host);
    },
    { prefix: '/api/v3' },
  );

  host.url = await server.listen({ port: options.port, host: options.host ?? '127.0.0.1' });
  host.api = `${host.url}/api/v3`;
  const close = async (): Promise<void> => {
    await server.close();
    await webhooks.settled();
  };
  return { url: host.url, host, close };
};

const restRoutes = [appRoutes, deliveryRoutes, repositoryRoutes, commitRoutes, pullRoutes, contentRoutes, userRoutes];
