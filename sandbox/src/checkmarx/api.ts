import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { possibleFindings } from './possible-findings.ts';
import { projectJson, resultJson, scanJson, withExactNumbers } from './responses.ts';
import { scansOf } from './scans.ts';
import { isKeyValid, newUuid, type Scan, type Tenant } from './tenant.ts';
import { codeQueries } from './weaknesses.ts';

type ApiRoute = { Querystring: Record<string, string | string[] | undefined> };
type HookBody = {
  name?: string;
  active?: boolean;
  enabledEvents?: string[];
  config?: { url?: string; secret?: string };
};

/** The part of the Checkmarx One API that reads scans, below /api, with its two paging styles. */
export const apiRoutes = (server: FastifyInstance, tenant: Tenant): void => {
  server.addHook('preHandler', async (request, reply) => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const number = tenant.tokens.get(token);
    if (number === undefined || !isKeyValid(tenant, number)) {
      return reply.code(401).send({ message: 'The token is not valid', type: 'ERROR', code: 401 });
    }
    if (!tenant.kept.mayRead) return forbid(reply);
  });

  server.get<ApiRoute>('/projects', async ({ query }) => {
    const { offset, limit } = pageOf(query, 20);
    return {
      totalCount: tenant.projects.length,
      filteredTotalCount: tenant.projects.length,
      projects: tenant.projects.slice(offset, offset + limit).map((project) => projectJson(tenant, project)),
    };
  });
  server.get<ApiRoute>('/scans', async ({ query }) => {
    const { offset, limit } = pageOf(query, 20);
    const statuses = textOf(query.statuses)?.split(',');
    const projects = tenant.projects.filter(({ id }) => id === (textOf(query['project-id']) ?? id));
    const lists = await Promise.all(projects.map((project) => scansOf(tenant, project)));
    const [branch, from] = [textOf(query.branch), textOf(query['from-date'])];
    const scans = lists
      .flat()
      .filter((scan) => statuses === undefined || statuses.includes(scan.status))
      .filter((scan) => branch === undefined || scan.branch === branch)
      .filter((scan) => from === undefined || scan.createdAt >= from)
      .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
    return {
      totalCount: scans.length,
      filteredTotalCount: scans.length,
      scans: scans.slice(offset, offset + limit).flatMap((scan) => {
        const project = tenant.projects.find(({ id }) => id === scan.projectId);
        return project === undefined ? [] : [scanJson(tenant, project, scan)];
      }),
    };
  });
  server.get<ApiRoute>('/results', async ({ query }, reply) => {
    const scan = await scanNamed(tenant, textOf(query['scan-id']));
    if (scan === undefined) return reply.code(404).send({ code: 4004, message: 'can not find scan', type: 'ERROR' });
    reply.type('application/json');
    if (scan.given !== undefined) return scan.given;
    // Only this endpoint counts pages in `offset`.
    const { offset: page, limit } = pageOf(query, 20);
    const results = await resultsOf(tenant, scan);
    const part = results.slice(page * limit, (page + 1) * limit);
    return withExactNumbers({ results: part, totalCount: results.length, scanID: scan.id });
  });
  server.get<ApiRoute>('/queries/descriptions', async ({ query }, reply) => {
    const ids = [query.ids ?? []].flat().flatMap((part) => part.split(','));
    const described = codeQueries.filter(({ id }) => ids.includes(id));
    reply.type('application/json');
    return withExactNumbers(
      described.map(({ id, name, description }) => ({
        queryId: `@exact:${id}`,
        queryName: name,
        resultDescription: description,
        risk: `An attacker could exploit that the code ${description}.`,
        cause: `The application ${description}, and nothing in between checks it.`,
        generalRecommendations:
          'Check what comes from outside before it is used, and prefer calls that keep data and code apart.',
        samples: [],
      })),
    );
  });

  server.post<{ Body: HookBody }>('/webhooks/tenant', async ({ body }, reply) => {
    const { name = '', active = true, enabledEvents = [], config: { url, secret = '' } = {} } = body;
    if (!tenant.kept.mayHook) return forbid(reply);
    if (url === undefined) return reply.code(400).send({ message: 'url is required', type: 'ERROR', code: 400 });
    const hook = { id: newUuid(), name, active, enabledEvents, url, secret, projectId: null };
    tenant.kept.webhooks.push(hook);
    tenant.save();
    return reply.code(201).send({ id: hook.id, name, active, enabledEvents, config: { url, contentType: 'json' } });
  });
  server.get('/webhooks', async () => ({
    webhooks: tenant.kept.webhooks.map(({ secret: _, ...hook }) => hook),
    totalCount: tenant.kept.webhooks.length,
  }));
  server.delete<{ Params: { id: string } }>('/webhooks/:id', async ({ params }, reply) => {
    const index = tenant.kept.webhooks.findIndex(({ id }) => id === params.id);
    if (index < 0) return reply.code(404).send({ message: 'webhook not found', type: 'ERROR', code: 404 });
    tenant.kept.webhooks.splice(index, 1);
    tenant.save();
    return reply.code(204).send();
  });
};

const forbid = (reply: FastifyReply) => reply.code(403).send({ message: 'Forbidden', type: 'ERROR', code: 403 });

const textOf = (value: FastifyRequest<ApiRoute>['query'][string]): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;

const pageOf = (query: ApiRoute['Querystring'], otherwise: number) => ({
  offset: Math.max(0, Number(textOf(query.offset) ?? 0) || 0),
  limit: Math.min(10_000, Math.max(1, Number(textOf(query.limit) ?? otherwise) || otherwise)),
});

const scanNamed = async (tenant: Tenant, id: string | undefined): Promise<Scan | undefined> => {
  const lists = await Promise.all(tenant.projects.map((project) => scansOf(tenant, project)));
  return lists.flat().find((scan) => scan.id === id);
};

const resultsOf = async (tenant: Tenant, scan: Scan): Promise<Record<string, unknown>[]> => {
  const project = tenant.projects.find(({ id }) => id === scan.projectId);
  if (project === undefined) return [];
  const all = await possibleFindings(project);
  return scan.seeds.flatMap((seed) => {
    const finding = all[seed];
    return finding === undefined ? [] : [resultJson(finding, seed, project, scan)];
  });
};
