import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { instant } from '../core/text.ts';
import { ofRepository } from '../sources/repositories.ts';

/** The code host's own scanners. */
export const alertSources = ['code_scanning', 'dependabot', 'secret_scanning'] as const;
export const alertSource = z.enum(alertSources);
export type AlertSource = z.infer<typeof alertSource>;

/**
 * How reading the alerts of one scanner went last: `waiting` nobody has looked yet, `off` the scanner is not switched on
 * for the repository, `forbidden` the app was not given the permission.
 */
export const alertReading = z.object({
  source: alertSource,
  state: z.enum(['waiting', 'read', 'off', 'forbidden', 'failed']),
  /** Why it failed, in the words of the code host. */
  message: z.string().nullable(),
  /** In every state, as the code host counts them. */
  alerts: z.number(),
  readAt: instant.nullable(),
});
export type AlertReading = z.infer<typeof alertReading>;

export const listAlertReadings = endpoint({
  method: 'GET',
  path: '/v2/repositories/:provider/:repoPath/alerts',
  summary: 'Returns the state of the last import of code host alerts. Empty if the host has none.',
  scope: 'organization',
  permission: 'read:vulnerabilities',
  flag: 'vulnerabilities',
  params: ofRepository,
  topics: ['orgIntegrations'],
  response: z.array(alertReading),
});

export const readAlertsAgain = endpoint({
  method: 'POST',
  path: '/v2/repositories/:provider/:repoPath/alerts',
  summary: 'Imports the alerts of the code host now.',
  scope: 'organization',
  permission: 'manage:integrations',
  flag: 'vulnerabilities',
  params: ofRepository,
  status: 202,
  changes: ['orgIntegrations'],
  response: z.array(alertReading),
});
