import { glob } from 'node:fs/promises';
import { integrationCategories } from '@sightline/contract/sources/integrations.ts';
import type { IntegrationCard } from './manifest.ts';

const domains = new URL('../../', import.meta.url);

/** The URLs of the files in all `manifest/` folders. */
export async function listManifestFiles(): Promise<URL[]> {
  const files: URL[] = [];
  for await (const file of glob('*/*/manifest/*.ts', { cwd: domains })) files.push(new URL(file, domains));
  return files;
}

/** All integrations, sorted by category and title. */
export async function loadManifests(): Promise<IntegrationCard[]> {
  const modules = await Promise.all((await listManifestFiles()).map(({ href }) => import(href)));
  return modules.map(({ manifest }: { manifest: IntegrationCard }) => manifest).toSorted(inOrder);
}

const inOrder = (one: IntegrationCard, other: IntegrationCard) =>
  integrationCategories.indexOf(one.category) - integrationCategories.indexOf(other.category) ||
  one.title.localeCompare(other.title, 'en');
