import type { Outbound } from '#core/outbound.ts';
import { type CheckmarxClient, type CheckmarxConnection, openCheckmarxClient } from './client.ts';
import { describeQueries } from './descriptions.ts';
import { countProjects, listProjects, listScans, readResultPages, type ScansQuery } from './reads.ts';
import type { CheckmarxProject, CheckmarxScan } from './shapes.ts';
import { type CheckmarxWebhook, deleteWebhook, registerWebhook } from './webhooks.ts';

/** Checkmarx One with the key of one tenant. Every method throws CheckmarxProblem or CheckmarxLimited. */
export interface CheckmarxTenant {
  baseURL: string;
  countProjects: () => Promise<number>;
  projects: () => AsyncGenerator<CheckmarxProject[]>;
  /** Finished scans, newest first. */
  scans: (query: ScansQuery) => AsyncGenerator<CheckmarxScan>;
  /** Unparsed results, page by page. */
  results: (scanId: string) => AsyncGenerator<unknown[]>;
  /** Descriptions of code scanning queries by ID, without unavailable ones. */
  describe: (queryIds: readonly string[]) => Promise<Map<string, string>>;
  registerWebhook: (webhook: CheckmarxWebhook) => Promise<string>;
  deleteWebhook: (id: string) => Promise<void>;
}

export interface CheckmarxConnector {
  /** Signs in. `hurry`: does not retry failed requests, for interactive use. */
  open: (connection: CheckmarxConnection, hurry?: boolean) => Promise<CheckmarxTenant>;
}

/** `defaultURL`: the base URL if the key contains none. `pause`: milliseconds before a retry. */
export const createCheckmarx = (outbound: Outbound, defaultURL: string, pause?: number): CheckmarxConnector => ({
  async open(connection, hurry = false) {
    const patience = { ...(hurry && { tries: 1 }), ...(pause !== undefined && { pause }) };
    return tenantOf(await openCheckmarxClient(outbound, connection, defaultURL, patience));
  },
});

const tenantOf = (session: CheckmarxClient): CheckmarxTenant => ({
  baseURL: session.baseURL,
  countProjects: () => countProjects(session),
  projects: () => listProjects(session),
  scans: (query) => listScans(session, query),
  results: (scanId) => readResultPages(session, scanId),
  describe: (queryIds) => describeQueries(session, queryIds),
  registerWebhook: (webhook) => registerWebhook(session, webhook),
  deleteWebhook: (id) => deleteWebhook(session, id),
});
