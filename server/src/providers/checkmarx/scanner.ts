import type { Outbound } from '#core/outbound.ts';
import type { ScannerConnector, ScannerDefinition, ScannerSession } from '../scanner-connector.ts';
import { type CheckmarxClient, openCheckmarxClient } from './client.ts';
import { partsOf } from './parts.ts';
import { countProjects, listProjects, listScans } from './reads.ts';
import { readPartResults } from './scan-results.ts';
import { checkmarxSignatureOf, deleteWebhook, registerWebhook } from './webhooks.ts';

/** `defaultURL`: the base URL if the key contains none. `pause`: milliseconds before a retry. */
export const createCheckmarx = (outbound: Outbound, defaultURL: string, pause?: number): ScannerConnector => ({
  async open(connection, hurry = false) {
    const patience = { ...(hurry && { tries: 1 }), ...(pause !== undefined && { pause }) };
    return sessionOf(await openCheckmarxClient(outbound, connection, defaultURL, patience));
  },
});

const sessionOf = (client: CheckmarxClient): ScannerSession => ({
  baseURL: client.baseURL,
  countProjects: () => countProjects(client),
  projects: () => listProjects(client),
  async *scans(query) {
    for await (const { engines, ...scan } of listScans(client, query)) {
      // A scan of an uploaded archive has no branch.
      yield { ...scan, branch: scan.branch === '.unknown' ? null : scan.branch, parts: partsOf(engines) };
    }
  },
  results: (project, scan) => readPartResults(client, project.id, scan.id),
  webhooks: {
    register: (webhook) => registerWebhook(client, webhook),
    delete: (id) => deleteWebhook(client, id),
  },
});

export const scanner: ScannerDefinition = {
  name: 'checkmarx',
  toolOf: () => ({ key: 'checkmarx', name: 'Checkmarx One', version: null }),
  create: createCheckmarx,
  deliveries: {
    eventHeader: 'x-cx-webhook-event',
    signatureHeader: 'x-cx-webhook-signature',
    signatureOf: checkmarxSignatureOf,
  },
};
