import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Host, type Installation, repositoriesOf } from './host.ts';
import { suspend, uninstall, unsuspend } from './installations.ts';
import { paginate, paginateByCursor } from './paging.ts';
import { notFound, refuse } from './refusal.ts';
import { timeText } from './responses/account.ts';
import { appJson, installationJson } from './responses/installation.ts';
import { repositoryJson } from './responses/repository.ts';
import { issueToken, requireApp, requireInstallation } from './tokens.ts';
import type { Delivery } from './webhooks.ts';

type ById = { Params: { id: string } };

/** Endpoints that the app calls with its JWT: its installations, their tokens, and its webhook deliveries. */
export const appRoutes = (server: FastifyInstance, host: Host): void => {
  const installationNamed = async (request: FastifyRequest<ById>): Promise<Installation> => {
    await requireApp(host, request);
    const installation = host.installations.get(Number(request.params.id));
    if (installation === undefined) throw notFound();
    return installation;
  };

  server.get('/app', async (request) => {
    await requireApp(host, request);
    return { ...appJson(host), installations_count: host.installations.size };
  });
  server.get('/app/installations', async (request, reply) => {
    await requireApp(host, request);
    const page = paginate(request, reply, [...host.installations.values()]);
    return page.map((installation) => installationJson(host, installation));
  });
  server.get<ById>('/app/installations/:id', async (request) =>
    installationJson(host, await installationNamed(request)),
  );
  server.delete<ById>('/app/installations/:id', async (request, reply) => {
    const installation = await installationNamed(request);
    uninstall(host, installation, actorFor(installation));
    return reply.code(204).send();
  });
  server.put<ById>('/app/installations/:id/suspended', async (request, reply) => {
    const installation = await installationNamed(request);
    suspend(host, installation, actorFor(installation));
    return reply.code(204).send();
  });
  server.delete<ById>('/app/installations/:id/suspended', async (request, reply) => {
    const installation = await installationNamed(request);
    unsuspend(host, installation, actorFor(installation));
    return reply.code(204).send();
  });
  server.post<ById & { Body: TokenRequest | undefined }>(
    '/app/installations/:id/access_tokens',
    async (request, reply) => {
      const installation = await installationNamed(request);
      if (installation.suspendedAt !== null) throw refuse(403, 'This installation has been suspended');
      const limit = limitOf(host, installation, request.body);
      const { token, expiresAt } = issueToken(host, {
        kind: 'installation',
        holder: installation.id,
        seconds: 3600,
        repositories: limit,
      });
      const chosen = repositoriesOf(host, installation).filter(({ id }) => limit === undefined || limit.has(id));
      const isSelected = limit !== undefined || installation.selection === 'selected';
      return reply.code(201).send({
        token,
        expires_at: timeText(expiresAt),
        permissions: installation.permissions,
        repository_selection: isSelected ? 'selected' : 'all',
        ...(isSelected ? { repositories: chosen.map((repository) => repositoryJson(host, repository)) } : {}),
      });
    },
  );
  server.get('/installation/repositories', async (request, reply) => {
    const { installation, repositories } = requireInstallation(host, request);
    const page = paginate(request, reply, repositories);
    return {
      total_count: repositories.length,
      repository_selection: installation.selection,
      repositories: page.map((repository) => repositoryJson(host, repository)),
    };
  });
  server.delete('/installation/token', async (request, reply) => {
    requireInstallation(host, request);
    host.tokens.delete(request.headers.authorization?.split(/\s+/)[1] ?? '');
    return reply.code(204).send();
  });
};

/** The log of webhook deliveries, and redelivery. */
export const deliveryRoutes = (server: FastifyInstance, host: Host): void => {
  const { webhooks } = host;
  const configJson = () => ({ content_type: 'json', insecure_ssl: '0', secret: '********', url: webhooks.config.url });

  server.get('/app/hook/config', async (request) => {
    await requireApp(host, request);
    return configJson();
  });
  server.patch<{ Body: { url?: string; secret?: string } }>('/app/hook/config', async (request) => {
    await requireApp(host, request);
    Object.assign(webhooks.config, { url: request.body.url ?? webhooks.config.url });
    Object.assign(webhooks.config, { secret: request.body.secret ?? webhooks.config.secret });
    return configJson();
  });
  server.get<{ Querystring: { status?: string } }>('/app/hook/deliveries', async (request, reply) => {
    await requireApp(host, request);
    const { status } = request.query;
    const matching = webhooks.log.filter(
      (delivery) => status === undefined || (status === 'success') === succeeded(delivery),
    );
    return paginateByCursor(request, reply, matching.reverse()).map(deliveryJson);
  });
  server.get<ById>('/app/hook/deliveries/:id', async (request) => {
    await requireApp(host, request);
    const delivery = webhooks.log.find(({ id }) => id === Number(request.params.id));
    if (delivery === undefined) throw notFound();
    return delivery;
  });
  server.post<ById>('/app/hook/deliveries/:id/attempts', async (request, reply) => {
    await requireApp(host, request);
    const id = Number(request.params.id);
    if (!webhooks.log.some((delivery) => delivery.id === id)) throw notFound();
    void webhooks.redeliver(id);
    return reply.code(202).send({});
  });
  server.get('/repos/:owner/:repo/installation', async (request) => {
    await requireApp(host, request);
    const { owner, repo } = request.params as { owner: string; repo: string };
    const installation = [...host.installations.values()].find((candidate) =>
      repositoriesOf(host, candidate).some(
        ({ name, owner: { login } }) => `${login}/${name}`.toLowerCase() === `${owner}/${repo}`.toLowerCase(),
      ),
    );
    if (installation === undefined) throw notFound();
    return installationJson(host, installation);
  });
};

const deliveryJson = ({ request: _, response: __, url: ___, ...delivery }: Delivery) => delivery;

type TokenRequest = { repository_ids?: number[]; repositories?: string[] } | null;

const limitOf = (host: Host, installation: Installation, body: TokenRequest | undefined): Set<number> | undefined => {
  const { repository_ids: ids, repositories: names } = body ?? {};
  if (ids === undefined && names === undefined) return undefined;
  const allowed = repositoriesOf(host, installation);
  const chosen = allowed.filter(({ id, name }) => ids?.includes(id) || names?.includes(name));
  if (chosen.length < (ids?.length ?? 0) + (names?.length ?? 0)) {
    throw refuse(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  }
  return new Set(chosen.map(({ id }) => id));
};

const succeeded = ({ status_code: code }: Delivery): boolean => code >= 200 && code < 300;

// Actions of the app itself are attributed to the account of its installation.
const actorFor = ({ installedBy, account }: Installation) =>
  installedBy ?? { id: account.id, login: account.login, name: account.login, type: 'User' as const, emails: [] };
