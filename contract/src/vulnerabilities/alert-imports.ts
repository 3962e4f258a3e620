import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { timestamp } from '../core/text.ts';
import { repositoryParams } from '../sources/repositories.ts';

/** The scanners of the code host. */
export const alertSources = ['code_scanning', 'dependabot', 'secret_scanning'] as const;
export const alertSource = z.enum(alertSources);
export type AlertSource = z.infer<typeof alertSource>;

/**
 * The result of the last import of alerts. `waiting`: not imported yet. `off`: the scanner is not enabled for the
 * repository. `forbidden`: the app lacks the permission.
 */
export const alertImport = z.object({
  source: alertSource,
  state: z.enum(['waiting', 'read', 'off', 'forbidden', 'failed']),
  /** The error message of the code host. */
  message: z.string().nullable(),
  /** Alerts in every state, as counted by the code host. */
  alerts: z.number(),
  readAt: timestamp.nullable(),
});
export type AlertImport = z.infer<typeof alertImport>;

export const listAlertImports = endpoint({
  method: 'GET',
  path: '/v2/repositories/:provider/:repoPath/alerts',
  summary: 'Returns the state of the last import of code host alerts. Empty if the host has none.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  params: repositoryParams,
  topics: ['orgIntegrations'],
  response: z.array(alertImport),
});

export const retryAlertImport = endpoint({
  method: 'POST',
  path: '/v2/repositories/:provider/:repoPath/alerts',
  summary: 'Imports the alerts of the code host now.',
  scope: 'organization',
  permission: 'manage:integrations',
  flag: 'vulnerabilities',
  params: repositoryParams,
  status: 202,
  changes: ['orgIntegrations'],
  response: z.array(alertImport),
});
