import type { FastifyInstance } from 'fastify';
import { notFound } from '../github/refusal.ts';
import {
  type Account,
  accountName,
  baseUrlOf,
  currentToken,
  revokeToken,
  type ScanChange,
  type ScannedProject,
  scanAgain,
} from './account.ts';

type NamedRoute<Body = unknown> = { Params: { scanner: string }; Body: Body };

/**
 * Endpoints that scanners do not have, below /_sandbox/scanners/NAME: new scans, revoked tokens, removed permissions and
 * repeated pages. Rate limits, errors and slow responses: /_sandbox/faults.
 */
export const scannerControl = (server: FastifyInstance, accounts: readonly Account[]): void => {
  const named = (name: string): Account => {
    const found = accounts.find(({ scanner }) => scanner === name);
    if (found === undefined) throw notFound();
    return found;
  };
  server.get<NamedRoute>('/scanners/:scanner', async ({ params }) => connectionOf(named(params.scanner)));
  server.post<NamedRoute<ScanChange & { project?: string }>>(
    '/scanners/:scanner/scan',
    { schema: { body: scanSchema } },
    async ({ params, body: { project, ...change } }, reply) => {
      const account = named(params.scanner);
      const scan = await scanAgain(account, projectNamed(account, project), change);
      return reply.code(201).send({ id: scan.id, findings: scan.findings.length });
    },
  );
  server.post<NamedRoute>('/scanners/:scanner/revoke', async ({ params }) => {
    const account = named(params.scanner);
    revokeToken(account);
    return connectionOf(account);
  });
  server.post<NamedRoute<{ mayRead?: boolean; repeatsPages?: boolean }>>(
    '/scanners/:scanner/behavior',
    { schema: { body: behaviorSchema } },
    async ({ params, body }) => {
      const account = named(params.scanner);
      Object.assign(account.kept, body);
      account.save();
      return body;
    },
  );
};

const connectionOf = (account: Account) => ({
  tenant: accountName,
  apiKey: currentToken(account),
  baseURL: baseUrlOf(account),
  projects: account.projects.map(({ id, name }) => ({ id, name })),
});

/** A project by name or ID; default: the first one. */
export const projectNamed = ({ projects }: Account, name: string | undefined): ScannedProject => {
  const found = projects.find((project) => name === undefined || project.name === name || project.id === name);
  if (found === undefined) throw notFound();
  return found;
};

const count = { type: 'integer', minimum: 0, maximum: 1000 } as const;
const scanSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    project: { type: 'string', minLength: 1, maxLength: 1000 },
    branch: { type: 'string', minLength: 1, maxLength: 1000 },
    add: count,
    remove: count,
    dismiss: count,
    kinds: { type: 'array', items: { type: 'string', enum: ['sast', 'kics', 'sca', 'container', 'secret'] } },
  },
} as const;
const behaviorSchema = {
  type: 'object',
  additionalProperties: false,
  properties: { mayRead: { type: 'boolean' }, repeatsPages: { type: 'boolean' } },
} as const;
