import type { Outbound } from '#core/outbound.ts';
import { type CheckmarxClient, type Connection, openSession } from './client.ts';
import { describeQueries } from './descriptions.ts';
import { countProjects, listProjects, listScans, readResultPages, type ScansQuery } from './reads.ts';
import type { CheckmarxProject, CheckmarxScan } from './shapes.ts';
import { deleteWebhook, registerWebhook, type Webhook } from './webhooks.ts';

/** Checkmarx One as one tenant's key sees it. Every call throws CheckmarxProblem or CheckmarxLimited. */
export interface CheckmarxTenant {
  baseURL: string;
  countProjects: () => Promise<number>;
  projects: () => AsyncGenerator<CheckmarxProject[]>;
  /** Finished scans, newest first. */
  scans: (query: ScansQuery) => AsyncGenerator<CheckmarxScan>;
  /** Results as they came, a page at a time. */
  results: (scanId: string) => AsyncGenerator<unknown[]>;
  /** Texts about queries of code scanning, by id; those that cannot be had are left out. */
  describe: (queryIds: readonly string[]) => Promise<Map<string, string>>;
  registerWebhook: (webhook: Webhook) => Promise<string>;
  deleteWebhook: (id: string) => Promise<void>;
}

export interface Checkmarx {
  /** Signs in. A person who waits is answered at once: with `hurry` a call that fails is not repeated. */
  open: (connection: Connection, hurry?: boolean) => Promise<CheckmarxTenant>;
}

/** `defaultURL`: the host of tenants whose keys name none. `pause`: milliseconds before a call is repeated. */
export const createCheckmarx = (outbound: Outbound, defaultURL: string, pause?: number): Checkmarx => ({
  async open(connection, hurry = false) {
    const patience = { ...(hurry && { tries: 1 }), ...(pause !== undefined && { pause }) };
    return tenantOf(await openSession(outbound, connection, defaultURL, patience));
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
