import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { hostUrl, instant, text } from '../core/text.ts';

/** The parts of the integrations page, as they stand in its address (spec 2.2). */
export const integrationCategories = [
  'source-code-management',
  'browser-extensions',
  'ide-extensions',
  'security-scanners',
] as const;
export type IntegrationCategory = (typeof integrationCategories)[number];

export const integration = z.object({
  /** Key in addresses: `github`, `checkmarx`, `vscode`, … */
  name: z.string(),
  title: z.string(),
  category: z.enum(integrationCategories),
  description: z.string(),
  /** `inactive` never set up or disconnected, `active` works, `error` set up and does not work. */
  status: z.enum(['active', 'inactive', 'error']),
  /** What is connected, in a few words: '14 repositories', 'tenant acme'. */
  detail: z.string().nullable(),
  lastSyncAt: instant.nullable(),
  checkedAt: instant.nullable(),
  /** What is wrong and what to do about it; null while all is well. */
  problem: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** What is still missing for it to be of use, each as a sentence. */
  missing: z.array(z.string()),
  /** What happened lately and asks for nothing, each as a sentence. */
  notes: z.array(z.string()),
  /** Where to go on: a path of this site, or an address elsewhere. */
  links: z.array(z.object({ label: z.string(), href: z.string() })),
  /** The host that is asked unless a connection names another; null where there is nothing to name. */
  defaultURL: z.string().nullable(),
});
export type Integration = z.infer<typeof integration>;

export const listIntegrations = endpoint({
  method: 'GET',
  path: '/v2/integrations',
  summary: 'Lists the integrations with their state.',
  scope: 'organization',
  permission: 'read:org',
  topics: ['orgRepos', 'orgIntegrations'],
  response: z.array(integration),
});

const owner = { scope: 'organization', permission: 'manage:integrations', flag: 'vulnerabilities' } as const;

const baseURL = hostUrl.optional();

/** The scanner form (spec 5). Spaces around what was pasted are taken off. */
const connection = z.strictObject({
  tenant: text(200).trim().min(1, { error: 'is needed' }),
  apiKey: text(8000).trim().min(1, { error: 'is needed' }),
  baseURL,
});

/** What a look at the scanner showed; a problem has a code for programs and a sentence for people. */
const check = z.object({
  ok: z.boolean(),
  problem: z
    .object({
      code: z.enum([
        'wrong_tenant',
        'bad_key',
        'expired_key',
        'no_permission',
        'wrong_host',
        'unreachable',
        'refused_host',
      ]),
      message: z.string(),
      /** The field of the form it concerns. */
      field: z.enum(['tenant', 'apiKey', 'baseURL']).nullable(),
    })
    .nullable(),
  projects: z.number().nullable(),
});
export type ScannerCheck = z.infer<typeof check>;

export const checkmarxSettings = z.object({
  tenant: z.string(),
  baseURL: z.string(),
  /** The last four characters of the key, to tell one from another. */
  keyEnd: z.string(),
  /** Where Checkmarx is to send its webhooks. */
  webhookURL: z.string(),
  webhook: z.enum(['registered', 'not_registered']),
  sync: z.object({
    state: z.enum(['idle', 'queued', 'running', 'failed']),
    projects: z.object({ done: z.number(), total: z.number().nullable() }),
    results: z.number(),
    error: z.string().nullable(),
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
  }),
});
export type CheckmarxSettings = z.infer<typeof checkmarxSettings>;

export const getCheckmarx = endpoint({
  method: 'GET',
  path: '/v2/integrations/checkmarx',
  summary: 'Returns the connection to Checkmarx One without its key, or null.',
  ...owner,
  reads: true,
  topics: ['orgIntegrations'],
  response: checkmarxSettings.nullable(),
});

export const connectCheckmarx = endpoint({
  method: 'POST',
  path: '/v2/integrations/checkmarx',
  summary: 'Connects Checkmarx One, or replaces its key, after testing it.',
  ...owner,
  body: z.strictObject({ ...checkmarxSettings.partial().shape, ...connection.shape }),
  changes: ['orgIntegrations'],
  response: checkmarxSettings,
  errors: ['upstream_failed'],
});

export const testCheckmarx = endpoint({
  method: 'POST',
  path: '/v2/integrations/checkmarx/test',
  summary: 'Tests the connection to Checkmarx One with the given or the stored credentials.',
  ...owner,
  reads: true,
  body: connection.partial(),
  response: check,
});

export const syncCheckmarx = endpoint({
  method: 'POST',
  path: '/v2/integrations/checkmarx/sync',
  summary: 'Syncs the newest scans of Checkmarx One now.',
  ...owner,
  status: 202,
  changes: ['orgIntegrations'],
  response: checkmarxSettings,
});

export const disconnectCheckmarx = endpoint({
  method: 'DELETE',
  path: '/v2/integrations/checkmarx',
  summary: 'Disconnects Checkmarx One and deletes its key. Findings are kept.',
  ...owner,
  status: 204,
  changes: ['orgIntegrations'],
  response: z.null(),
});

const project = z.object({
  id: z.string(),
  name: z.string(),
  repoUrl: z.string().nullable(),
  /** The repository its results belong to, and how it was found. */
  repository: z.object({ id: z.string(), fullName: z.string() }).nullable(),
  matchedBy: z.enum(['url', 'name', 'manual']).nullable(),
  lastScanAt: instant.nullable(),
});
export type ScannerProject = z.infer<typeof project>;

export const listCheckmarxProjects = endpoint({
  method: 'GET',
  path: '/v2/integrations/checkmarx/projects',
  summary: 'Lists the Checkmarx One projects with their repositories, unmatched ones first.',
  ...owner,
  reads: true,
  query: pagedQuery(['matched-asc', 'name-asc', 'name-desc'], {}),
  topics: ['orgIntegrations'],
  response: z.array(project),
  paged: true,
});

export const matchCheckmarxProject = endpoint({
  method: 'PUT',
  path: '/v2/integrations/checkmarx/projects/:projectId',
  summary: 'Links a project to a repository, or excludes it.',
  ...owner,
  params: z.strictObject({ projectId: text(200) }),
  body: z.strictObject({ repositoryId: z.uuid().nullable() }),
  changes: ['orgIntegrations'],
  response: project,
});
