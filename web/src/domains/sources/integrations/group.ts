import type { Integration, IntegrationCategory } from '@sightline/contract/sources/integrations.ts';

export interface IntegrationGroup {
  category: IntegrationCategory;
  /** Undefined while they are on their way. */
  integrations: readonly Integration[] | undefined;
}
