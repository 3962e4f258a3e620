import type { Flag } from '@sightline/contract/core/flags.ts';
import type { Integration } from '@sightline/contract/sources/integrations.ts';
import type { CardContext, IntegrationCard } from './manifest.ts';

const emptyState = {
  detail: null,
  lastSyncAt: null,
  checkedAt: null,
  problem: null,
  missing: [],
  notes: [],
  links: [],
  defaultURL: null,
} satisfies Partial<Integration>;

/** The state of every integration that the flags enable. */
export async function listIntegrationStates(
  manifests: readonly IntegrationCard[],
  isOn: (flag: Flag) => boolean,
  context: CardContext,
): Promise<Integration[]> {
  const integrations: Integration[] = [];
  for (const manifest of manifests) {
    if (!(manifest.flags ?? []).every(isOn)) continue;
    const { name, title, category, description } = manifest;
    integrations.push({ ...emptyState, name, title, category, description, ...(await manifest.look(context)) });
  }
  return integrations;
}
