import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { scannerName } from '../core/scan-sources.ts';
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

const scanner = z.strictObject({ scanner: scannerName });

/** The scanner form (spec 5). Surrounding whitespace is trimmed. Which fields a scanner needs: `scannerForms`. */
const connection = z.strictObject({
  tenant: boundedText(200).trim().optional(),
  apiKey: boundedText(8000).trim().min(1, { error: 'is needed' }),
  baseURL: hostUrl.optional(),
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

export const scannerSettings = z.object({
  /** The account at the scanner; empty for scanners without one. */
  tenant: z.string(),
  baseURL: z.string(),
  /** The last four characters of the key, for identification. */
  keyEnd: z.string(),
  /** The URL for webhooks of the scanner. */
  webhookURL: z.string(),
  /** `unsupported`: the scanner has none that report finished scans. */
  webhook: z.enum(['registered', 'not_registered', 'unsupported']),
  sync: z.object({
    state: z.enum(['idle', 'queued', 'running', 'failed']),
    projects: z.object({ done: z.number(), total: z.number().nullable() }),
    results: z.number(),
    error: z.string().nullable(),
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  }),
});
export type ScannerSettings = z.infer<typeof scannerSettings>;

export const getScanner = endpoint({
  method: 'GET',
  path: '/v2/integrations/:scanner',
  summary: 'Returns the connection to a scanner without its key, or null.',
  ...owner,
  reads: true,
  params: scanner,
  topics: ['orgIntegrations'],
  response: scannerSettings.nullable(),
});

export const connectScanner = endpoint({
  method: 'POST',
  path: '/v2/integrations/:scanner',
  summary: 'Connects a scanner, or replaces its key, after testing it.',
  ...owner,
  params: scanner,
  body: z.strictObject({ ...scannerSettings.partial().shape, ...connection.shape }),
  changes: ['orgIntegrations'],
  response: scannerSettings,
  errors: ['upstream_failed'],
});

export const testScanner = endpoint({
  method: 'POST',
  path: '/v2/integrations/:scanner/test',
  summary: 'Tests the connection to a scanner with the given or the stored credentials.',
  ...owner,
  reads: true,
  params: scanner,
  body: connection.partial(),
  response: check,
});

export const syncScanner = endpoint({
  method: 'POST',
  path: '/v2/integrations/:scanner/sync',
  summary: 'Syncs the newest scans of a scanner now.',
  ...owner,
  status: 202,
  params: scanner,
  changes: ['orgIntegrations'],
  response: scannerSettings,
});

export const disconnectScanner = endpoint({
  method: 'DELETE',
  path: '/v2/integrations/:scanner',
  summary: 'Disconnects a scanner and deletes its key. Findings are kept.',
  ...owner,
  status: 204,
  params: scanner,
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

export const listScannerProjects = endpoint({
  method: 'GET',
  path: '/v2/integrations/:scanner/projects',
  summary: 'Lists the projects of a scanner with their repositories, unmatched ones first.',
  ...owner,
  reads: true,
  params: scanner,
  query: pagedQuery(['matched-asc', 'name-asc', 'name-desc'], {}),
  topics: ['orgIntegrations'],
  response: z.array(project),
  paged: true,
});
export const exportScannerProjects = csvExportOf(listScannerProjects);

export const matchScannerProject = endpoint({
  method: 'PUT',
  path: '/v2/integrations/:scanner/projects/:projectId',
  summary: 'Links a project to a repository, or excludes it.',
  ...owner,
  params: z.strictObject({ scanner: scannerName, projectId: boundedText(400) }),
  body: z.strictObject({ repositoryId: z.uuid().nullable() }),
  changes: ['orgIntegrations'],
  response: project,
});
