import { integrationCategories } from '@sightline/contract/sources/integrations.ts';
import { importFolder } from '#core/import-folder.ts';
import type { IntegrationCard } from './manifest.ts';

interface ManifestModule {
  manifest: IntegrationCard;
}

/** All integrations, sorted by category and title. */
export async function loadManifests(): Promise<IntegrationCard[]> {
  const modules = await importFolder<ManifestModule>('*/*/manifest/*.ts', new URL('../../', import.meta.url));
  return modules.map(({ manifest }) => manifest).toSorted(inOrder);
}

const inOrder = (one: IntegrationCard, other: IntegrationCard) =>
  integrationCategories.indexOf(one.category) - integrationCategories.indexOf(other.category) ||
  one.title.localeCompare(other.title, 'en');
