import type { FastifyInstance } from 'fastify';
import { notFound } from '../github/refusal.ts';
import { scanAgain, scansOf } from './scans.ts';
import { currentKey, type Project, renewKey, type Tenant, tenantName } from './tenant.ts';

type ScanBody = {
  project?: string;
  branch?: string;
  add?: number;
  remove?: number;
  status?: 'Completed' | 'Partial' | 'Failed';
  results?: string;
};

/**
 * Endpoints that Checkmarx One does not have, below /_sandbox/checkmarx: new scans, key expiry, and removed
 * permissions.
 */
export const checkmarxControl = (server: FastifyInstance, tenant: Tenant): void => {
  server.get('/checkmarx', async () => ({
    tenant: tenantName,
    apiKey: currentKey(tenant),
    baseURL: tenant.host.url,
    projects: tenant.projects.map(({ id, name }) => ({ id, name })),
    webhooks: tenant.kept.webhooks,
    deliveries: tenant.hooks.log,
  }));
  server.post<{ Body: ScanBody }>(
    '/checkmarx/scan',
    { bodyLimit: 64 * 1024 * 1024, schema: { body: scanSchema } },
    async (request, reply) => {
      const { project: name, results, ...change } = request.body;
      const project = projectNamed(tenant, name);
      const before = (await scansOf(tenant, project)).length;
      const scan = await scanAgain(tenant, project, {
        ...change,
        ...(results === undefined ? {} : { given: results }),
      });
      return reply.code(201).send({ id: scan.id, results: scan.seeds.length, scans: before + 1 });
    },
  );
  server.post<{ Body: { mayRead?: boolean; mayHook?: boolean } }>(
    '/checkmarx/rights',
    { schema: { body: rightsSchema } },
    async (request) => {
      Object.assign(tenant.kept, request.body);
      tenant.save();
      return { mayRead: tenant.kept.mayRead, mayHook: tenant.kept.mayHook };
    },
  );
  server.post('/checkmarx/expire-key', async () => {
    renewKey(tenant);
    return { apiKey: currentKey(tenant) };
  });
};

/** A project by name or ID; default: the first one. */
export const projectNamed = ({ projects }: Tenant, name: string | undefined): Project => {
  const found = projects.find((project) => name === undefined || project.name === name || project.id === name);
  if (found === undefined) throw notFound();
  return found;
};

const text = { type: 'string', minLength: 1, maxLength: 1000 } as const;
const count = { type: 'integer', minimum: 0, maximum: 1000 } as const;

const scanSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    project: text,
    branch: text,
    add: count,
    remove: count,
    status: { type: 'string', enum: ['Completed', 'Partial', 'Failed'] },
    // A complete results response as text, since its numbers can exceed those of JavaScript.
    results: { type: 'string', maxLength: 64 * 1024 * 1024 },
  },
} as const;

const rightsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: { mayRead: { type: 'boolean' }, mayHook: { type: 'boolean' } },
} as const;
