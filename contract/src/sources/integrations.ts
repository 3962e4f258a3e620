import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { boundedText, hostUrl, timestamp } from '../core/text.ts';

/** The categories of the integrations page, as in its URL (spec 2.2). */
export const integrationCategories = [
  'source-code-management',
  'browser-extensions',
  'ide-extensions',
  'security-scanners',
  'chat',
  'directories',
  'issue-trackers',
] as const;
export type IntegrationCategory = (typeof integrationCategories)[number];

export const integration = z.object({
  /** Key in URLs: `github`, `checkmarx`, `vscode`, … */
  name: z.string(),
  title: z.string(),
  category: z.enum(integrationCategories),
  description: z.string(),
  /** `inactive`: never set up, or disconnected. `active`: works. `error`: set up but failing. */
  status: z.enum(['active', 'inactive', 'error']),
  /** The connection in a few words: '14 repositories', 'tenant acme'. */
  detail: z.string().nullable(),
  lastSyncAt: timestamp.nullable(),
  checkedAt: timestamp.nullable(),
  /** The problem and its remedy; null without a problem. */
  problem: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Missing setup steps, each as a sentence. */
  missing: z.array(z.string()),
  /** Recent events that need no action, each as a sentence. */
  notes: z.array(z.string()),
  /** Next steps: a path of this site, or an external URL. */
  links: z.array(z.object({ label: z.string(), href: z.string() })),
  /** The default API URL of a connection; null if it cannot be configured. */
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

/** The scanner form (spec 5). Surrounding whitespace is trimmed. */
const connection = z.strictObject({
  tenant: boundedText(200).trim().min(1, { error: 'is needed' }),
  apiKey: boundedText(8000).trim().min(1, { error: 'is needed' }),
  baseURL,
});

/** The result of a scanner check. A problem has a code for programs and a sentence for users. */
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
      /** The affected field of the form. */
      field: z.enum(['tenant', 'apiKey', 'baseURL']).nullable(),
    })
    .nullable(),
  projects: z.number().nullable(),
});
export type ScannerCheck = z.infer<typeof check>;

export const checkmarxSettings = z.object({
  tenant: z.string(),
  baseURL: z.string(),
  /** The last four characters of the key, for identification. */
  keyEnd: z.string(),
  /** The URL for the webhooks of Checkmarx. */
  webhookURL: z.string(),
  webhook: z.enum(['registered', 'not_registered']),
  sync: z.object({
    state: z.enum(['idle', 'queued', 'running', 'failed']),
    projects: z.object({ done: z.number(), total: z.number().nullable() }),
    results: z.number(),
    error: z.string().nullable(),
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
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
  /** The repository of its results, and how it was matched. */
  repository: z.object({ id: z.string(), fullName: z.string() }).nullable(),
  matchedBy: z.enum(['url', 'name', 'manual']).nullable(),
  lastScanAt: timestamp.nullable(),
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
  params: z.strictObject({ projectId: boundedText(200) }),
  body: z.strictObject({ repositoryId: z.uuid().nullable() }),
  changes: ['orgIntegrations'],
  response: project,
});
