import { z } from 'zod';
import { providerNames } from './providers.ts';

interface ScanSourceDefinition {
  label: string;
  /** `upload`: sent by builds; `scanner`: imported by an own connection; `alerts`: read from a code host. */
  via: 'upload' | 'scanner' | 'alerts';
  /** Scans the code of each change, so that its state decides whether the scans of a merge are complete. */
  scansChanges?: true;
}

/** How results are received. */
export const scanSourceDefinitions = {
  sarif: { label: 'SARIF', via: 'upload' },
  code_scanning: { label: 'GitHub code scanning', via: 'alerts', scansChanges: true },
  dependabot: { label: 'Dependabot', via: 'alerts' },
  secret_scanning: { label: 'GitHub secret scanning', via: 'alerts' },
  checkmarx: { label: 'Checkmarx One', via: 'scanner', scansChanges: true },
  sonarqube: { label: 'SonarQube', via: 'scanner', scansChanges: true },
  semgrep: { label: 'Semgrep', via: 'scanner', scansChanges: true },
  snyk: { label: 'Snyk', via: 'scanner', scansChanges: true },
  'dependency-track': { label: 'Dependency-Track', via: 'scanner' },
} as const satisfies Record<string, ScanSourceDefinition>;

export type ScanSource = keyof typeof scanSourceDefinitions;
export const scanSources = Object.keys(scanSourceDefinitions) as [ScanSource, ...ScanSource[]];
export const scanSource = z.enum(scanSources);

/** The scanners with a connection of their own. */
export type ScannerName = {
  [Source in ScanSource]: (typeof scanSourceDefinitions)[Source]['via'] extends 'scanner' ? Source : never;
}[ScanSource];
export const scannerNames = scanSources.filter(
  (source): source is ScannerName => scanSourceDefinitions[source].via === 'scanner',
) as [ScannerName, ...ScannerName[]];
export const scannerName = z.enum(scannerNames);

/** The definition of a source as stored; undefined if this version does not know it. */
export const maybeScanSource = (source: string): ScanSourceDefinition | undefined =>
  scanSource.safeParse(source).success ? scanSourceDefinitions[source as ScanSource] : undefined;

/** The sources whose connection has a state, in the order of their definitions. */
export const connectedScanSources = scanSources.filter((source) => scanSourceDefinitions[source].via !== 'upload');

/** Actors of entries that are no integrations of their own. */
const otherActors: Readonly<Record<string, string>> = {
  directory: 'The directory',
  'sign-in': 'The identity provider',
};

/** The name of an integration that is the actor of an entry; undefined for an unknown one. */
export const maybeIntegrationName = (id: string): string | undefined => {
  if (Object.hasOwn(otherActors, id)) return otherActors[id];
  return Object.hasOwn(providerNames, id)
    ? providerNames[id as keyof typeof providerNames]
    : maybeScanSource(id)?.label;
};
