import { glob } from 'node:fs/promises';
import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import type { EndpointCase, SeededItems } from './endpoint-case.ts';

const source = new URL('..', import.meta.url);

/** Imports the files of all features with this name. They import nothing that imports this file, which awaits them. */
async function importFromFeatures<Exports>(name: string): Promise<Exports[]> {
  const files: string[] = [];
  for await (const file of glob(`domains/**/${name}`, { cwd: source })) files.push(file);
  return Promise.all(files.toSorted().map((file) => import(new URL(file, source).href) as Promise<Exports>));
}

/** How the tests of this folder call every endpoint. */
export const endpointCases = (
  await importFromFeatures<{ endpointCases: readonly EndpointCase[] }>('endpoint-cases.fixture.ts')
).flatMap((file) => file.endpointCases);
/** The items of all features. */
export const seededItems = (await importFromFeatures<{ seededItems: SeededItems }>('seeded-items.fixture.ts')).map(
  (file) => file.seededItems,
);

const casesByEndpoint = new Map(endpointCases.map((one) => [one.endpoint, one]));

/** Returns the case of an endpoint. Throws if it has none. */
export function caseOf(endpoint: Endpoint): EndpointCase {
  const found = casesByEndpoint.get(endpoint);
  if (found) return found;
  throw new Error(
    `${endpoint.method} ${endpoint.path} has no case: add it to endpoint-cases.fixture.ts of its feature`,
  );
}
