import { glob } from 'node:fs/promises';
import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import type { EndpointCase, SeededItems } from './endpoint-case.ts';

const source = new URL('..', import.meta.url);

interface CaseFile {
  endpointCases: readonly EndpointCase[];
  seededItems?: SeededItems;
}

/** Imports the files of all features. They import nothing that imports this file, since it waits for them. */
async function importCaseFiles(): Promise<CaseFile[]> {
  const files: string[] = [];
  for await (const file of glob('domains/**/endpoint-cases.fixture.ts', { cwd: source })) files.push(file);
  return Promise.all(files.toSorted().map((file) => import(new URL(file, source).href) as Promise<CaseFile>));
}

const files = await importCaseFiles();
export const endpointCases: readonly EndpointCase[] = files.flatMap((file) => file.endpointCases);
export const seededItems: readonly SeededItems[] = files.flatMap((file) => file.seededItems ?? []);

const casesByEndpoint = new Map(endpointCases.map((one) => [one.endpoint, one]));

/** Returns the case of an endpoint. Throws if it has none. */
export function caseOf(endpoint: Endpoint): EndpointCase {
  const found = casesByEndpoint.get(endpoint);
  if (found) return found;
  throw new Error(
    `${endpoint.method} ${endpoint.path} has no case: add it to endpoint-cases.fixture.ts of its feature`,
  );
}
