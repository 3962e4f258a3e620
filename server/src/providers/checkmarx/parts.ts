import type { ProjectScan, ScanPart } from '../scanner-connector.ts';

// The categories that each engine always covers, and those that it may report.
const engineParts: Readonly<Record<string, { always: readonly ScanPart[]; maybe: readonly ScanPart[] }>> = {
  sast: { always: ['sast'], maybe: [] },
  apisec: { always: ['apisec'], maybe: [] },
  kics: { always: ['iac'], maybe: [] },
  sca: { always: ['sca'], maybe: ['container'] },
  containers: { always: ['container'], maybe: [] },
  microengines: { always: [], maybe: ['secret', 'scorecard'] },
};

/** The parts that the completed engines of a scan cover. An engine that did not run reports nothing. */
export function partsOf(engines: readonly string[] | null): ProjectScan['parts'] {
  if (engines === null) return null;
  const known = engines.flatMap((name) => engineParts[name] ?? []);
  return { always: known.flatMap(({ always }) => always), maybe: known.flatMap(({ maybe }) => maybe) };
}
