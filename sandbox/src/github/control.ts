import type { FastifyInstance } from 'fastify';
import type { Fault, LimitAnswer } from './faults.ts';
import { accountsOf, addRepository, fullName, type Host, peopleOf, removeAccount } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { install, uninstall } from './installations.ts';
import type { Limit } from './limits.ts';
import { notFound, refuse } from './refusal.ts';
import { replayHistory } from './replay.ts';
import { installationJson } from './responses/installation.ts';
import { summaryJson } from './responses/repository.ts';
import { followRepository, renameRepository } from './webhook-events.ts';

/** Endpoints that GitHub does not have, for test control, below /_sandbox: faults, replays and state. */
export const controlRoutes = (
  server: FastifyInstance,
  host: Host,
  { faults, limit, limitAnswers }: { faults: Fault[]; limit: Limit; limitAnswers: LimitAnswer[] },
): void => {
  server.get('/faults', async () => faults);
  server.post<{ Body: Omit<Fault, 'times'> & { times?: number } }>(
    '/faults',
    { schema: { body: faultSchema } },
    async (request, reply) => {
      const { times = 1, ...fault } = request.body;
      if (!isPattern(fault.match)) throw refuse(422, 'match is not a regular expression.');
      faults.push({ ...fault, times });
      return reply.code(201).send({ ...fault, times });
    },
  );
  server.delete('/faults', async (_, reply) => {
    faults.length = 0;
    return reply.code(204).send();
  });
  server.post<{ Body: { remaining: number; resetInSeconds: number } }>(
    '/rate-limit',
    { schema: { body: limitSchema } },
    async (request) => {
      const { remaining, resetInSeconds } = request.body;
      return Object.assign(limit, { remaining, resetAt: Date.now() + resetInSeconds * 1000 });
    },
  );
  server.get('/rate-limit', async () => ({ ...limit, answers: limitAnswers }));
  server.post<{ Body: Partial<Host['webhooks']['disorder']> }>(
    '/disorder',
    { schema: { body: disorderSchema } },
    async (request) => Object.assign(host.webhooks.disorder, request.body),
  );
  server.post<{ Body: { repository: string; from?: string } }>(
    '/replay',
    { schema: { body: replaySchema } },
    async (request) => {
      const before = host.webhooks.log.length;
      await replayHistory(host, named(host, request.body.repository), request.body.from);
      await host.webhooks.settled();
      return { deliveries: host.webhooks.log.length - before };
    },
  );
  server.post('/refresh', async () => {
    for (const repository of host.repositories) await followRepository(host, repository);
    await host.webhooks.settled();
    return { deliveries: host.webhooks.log.length };
  });
  server.post<{ Body: { repository: string; name: string } }>(
    '/rename',
    { schema: { body: renameSchema } },
    async (request) => {
      const [repository, by] = [named(host, request.body.repository), peopleOf(host)[0]];
      if (by === undefined) throw refuse(409, 'No commits exist.');
      renameRepository(host, repository, request.body.name, by);
      return summaryJson(repository);
    },
  );
  server.post<{ Body: { account?: string; login?: string; repositories?: string[] } | undefined }>(
    '/install',
    async (request, reply) => {
      const { account: owner, login, repositories } = request.body ?? {};
      const account = accountsOf(host).find((candidate) => owner === undefined || candidate.login === owner);
      const by = peopleOf(host).find((user) => login === undefined || user.login === login);
      if (account === undefined || by === undefined) throw notFound();
      const chosen = repositories?.map((name) => named(host, name).id) ?? 'all';
      return reply.code(201).send(installationJson(host, install(host, account, chosen, by)));
    },
  );
  server.post<{ Body: { path: string } }>(
    '/repositories',
    { schema: { body: object(['path'], { path: text }) } },
    async (request, reply) => {
      const repository = await addRepository(host, request.body.path).catch((error: Error) => {
        throw refuse(422, error.message);
      });
      return reply.code(201).send(summaryJson(repository));
    },
  );
  server.delete<{ Params: { login: string } }>('/accounts/:login', async (request, reply) => {
    const account = accountsOf(host).find(({ login }) => login === request.params.login);
    const by = peopleOf(host)[0];
    if (account === undefined || by === undefined) throw notFound();
    const installations = [...host.installations.values()].filter((one) => one.account.id === account.id);
    for (const installation of installations) uninstall(host, installation, by);
    removeAccount(host, account);
    return reply.code(204).send();
  });
  server.post('/expire-tokens', async (_, reply) => {
    host.tokens.clear();
    return reply.code(204).send();
  });
  server.get('/deliveries', async () => host.webhooks.log);
  server.get('/users', async () => peopleOf(host));
  server.get('/repositories', async () => host.repositories.map(summaryJson));
};

const text = { type: 'string', minLength: 1, maxLength: 1000 } as const;
const count = { type: 'integer', minimum: 0 } as const;

const object = (required: string[], properties: Record<string, unknown>) =>
  ({ type: 'object', required, properties, additionalProperties: false }) as const;

const faultSchema = object(['match'], {
  match: text,
  status: { type: 'integer', minimum: 400, maximum: 599 },
  retryAfter: count,
  delayMs: count,
  truncate: { type: 'boolean' },
  message: text,
  times: { type: 'integer', minimum: 1 },
  every: { type: 'integer', minimum: 1 },
});
const disorderSchema = object([], { twiceEvery: count, lateEvery: count });
const limitSchema = object(['remaining', 'resetInSeconds'], { remaining: count, resetInSeconds: count });
const replaySchema = object(['repository'], { repository: text, from: text });
const renameSchema = object(['repository', 'name'], {
  repository: text,
  name: { ...text, pattern: '^[A-Za-z0-9._-]+$' },
});

const isPattern = (source: string): boolean => {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
};

const named = (host: Host, name: string): HostedRepository => {
  const found = host.repositories.find((repository) => fullName(repository).toLowerCase() === name.toLowerCase());
  if (found === undefined) throw notFound();
  return found;
};
