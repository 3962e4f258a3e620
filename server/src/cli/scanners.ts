import { type ScannerName, scannerNames } from '@sightline/contract/core/scan-sources.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';
import { Invalid } from '#core/errors.ts';
import { connectionFrom } from '../domains/vulnerabilities/scanners/check.ts';
import { deleteConnection, requestScannerSync, saveConnection } from '../domains/vulnerabilities/scanners/connect.ts';
import { maybeScannerHealth } from '../domains/vulnerabilities/scanners/queries.ts';
import { aligned, command } from './command.ts';
import { withServices } from './command-resources.ts';
import { secretFrom } from './input-file.ts';
import { operatorActor } from './operator.ts';
import { findOrganization, organizationOption } from './organizations.ts';

const names = scannerNames.join(', ');

const scannerFrom = (typed: string): ScannerName => {
  const found = scannerNames.find((name) => name === typed);
  if (!found) throw Invalid(`"${typed}"`, `must be one of ${names}`);
  return found;
};

const operatorOf = (orgId: string) => ({ orgId, ...operatorActor() });

export const listScanners = command({
  name: 'scanners list',
  description: 'Lists the scanners of an organization with their state.',
  options: { org: organizationOption },
  run: ({ options }) =>
    withServices(async (services, _keys, ownerUrl) => {
      const { id: orgId } = await findOrganization(services, ownerUrl, options.org);
      const scanners = await services.database.withOrg(orgId, async (tx) => {
        const all = [];
        for (const scanner of scannerNames) {
          const health = await maybeScannerHealth(tx, { orgId, scanner });
          const { status = 'inactive', account = null, problem = null, lastSyncAt = null } = health ?? {};
          all.push({ scanner, status, account, problem, lastSyncAt });
        }
        return all;
      });
      return {
        json: { scanners },
        lines: aligned(
          scanners.map(({ scanner, status, account, problem }) => [
            scannerForms[scanner].title,
            [status, account, problem?.message].filter(Boolean).join(', '),
          ]),
        ),
      };
    }),
});

export const connectScannerByCommand = command({
  name: 'scanners connect',
  description: `Connects a scanner, or replaces its key, after testing it: ${names}.`,
  valueName: ['SCANNER'],
  options: {
    org: organizationOption,
    'key-file': { valueName: 'FILE', description: 'A file with the key or token.', required: true },
    tenant: { valueName: 'NAME', description: 'The tenant, organization or deployment at the scanner.' },
    url: { valueName: 'URL', description: 'The URL, if it is not the default of the scanner.' },
  },
  run: async ({ words: [typed = ''], options }) => {
    const scanner = scannerFrom(typed);
    const apiKey = await secretFrom('--key-file', options['key-file']);
    return withServices(async (services, _keys, ownerUrl) => {
      const { id: orgId, name } = await findOrganization(services, ownerUrl, options.org);
      const connection = connectionFrom(services, scanner, { tenant: options.tenant, apiKey, baseURL: options.url });
      const { tenant, baseURL } = await saveConnection(services, operatorOf(orgId), scanner, connection);
      return {
        json: { scanner, tenant, baseURL },
        lines: [`${scannerForms[scanner].title} is connected to ${name}. A running server imports its findings.`],
      };
    });
  },
});

export const disconnectScannerByCommand = command({
  name: 'scanners disconnect',
  description: 'Disconnects a scanner and deletes its key. Findings are kept.',
  valueName: ['SCANNER'],
  options: { org: organizationOption },
  run: ({ words: [typed = ''], options }) => {
    const scanner = scannerFrom(typed);
    return withServices(async (services, _keys, ownerUrl) => {
      const { id: orgId, name } = await findOrganization(services, ownerUrl, options.org);
      await deleteConnection(services, operatorOf(orgId), scanner);
      return {
        json: { scanner, connected: false },
        lines: [`${scannerForms[scanner].title} is not connected to ${name}. Its findings are kept.`],
      };
    });
  },
});

export const syncScannerByCommand = command({
  name: 'scanners sync',
  description: 'Syncs the newest scans of a scanner now, by a running server.',
  valueName: ['SCANNER'],
  options: { org: organizationOption },
  run: ({ words: [typed = ''], options }) => {
    const scanner = scannerFrom(typed);
    return withServices(async (services, _keys, ownerUrl) => {
      const { id: orgId } = await findOrganization(services, ownerUrl, options.org);
      await requestScannerSync(services, operatorOf(orgId), scanner);
      return { json: { scanner, queued: true }, lines: [`The sync of ${scannerForms[scanner].title} is queued.`] };
    });
  },
});
