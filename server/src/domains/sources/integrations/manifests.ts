import { readdir } from 'node:fs/promises';
import { integrationCategories } from '@sightline/contract/sources/integrations.ts';
import type { Manifest } from './manifest.ts';

const folder = new URL('manifest/', import.meta.url);

/** Every file of the folder, in the order of the page: by category, then by title. */
export async function loadManifests(): Promise<Manifest[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
  const modules = await Promise.all(names.map((name) => import(new URL(name, folder).href)));
  return modules.map(({ manifest }: { manifest: Manifest }) => manifest).toSorted(inOrder);
}

const inOrder = (one: Manifest, other: Manifest) =>
  integrationCategories.indexOf(one.category) - integrationCategories.indexOf(other.category) ||
  one.title.localeCompare(other.title, 'en');
