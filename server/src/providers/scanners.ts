import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import { importFolder } from '#core/import-folder.ts';
import type { Outbound } from '#core/outbound.ts';
import type { ScannerConnector, ScannerDefinition } from './scanner-connector.ts';

/** The scanners with a connection of their own. */
export interface Scanners {
  definition: (name: ScannerName) => ScannerDefinition;
  /** The client of a scanner with the network access of an organization. */
  connector: (orgId: string, name: ScannerName) => ScannerConnector;
}

interface ScannerModule {
  scanner: ScannerDefinition;
}

const loadDefinitions = async (): Promise<ScannerDefinition[]> =>
  (await importFolder<ScannerModule>('*/scanner.ts', new URL('./', import.meta.url))).map(({ scanner }) => scanner);

/** `defaultURLs`: the host of connections without one, by scanner. */
export async function createScanners(
  outboundOf: (orgId: string) => Outbound,
  defaultURLs: Readonly<Record<ScannerName, { baseURL: string }>>,
): Promise<Scanners> {
  const definitions = await loadDefinitions();
  const definition = (name: ScannerName): ScannerDefinition => {
    const found = definitions.find((one) => one.name === name);
    if (!found) throw new Error(`No scanner ${name} in providers`);
    return found;
  };
  return {
    definition,
    connector: (orgId, name) => definition(name).create(outboundOf(orgId), defaultURLs[name].baseURL),
  };
}
