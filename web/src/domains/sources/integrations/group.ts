import type { Integration, IntegrationCategory } from '@sightline/contract/sources/integrations.ts';

export interface IntegrationGroup {
  category: IntegrationCategory;
  /** Undefined while loading. */
  integrations: readonly Integration[] | undefined;
}
