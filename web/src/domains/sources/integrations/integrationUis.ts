import type { Integration } from '@sightline/contract/sources/integrations.ts';
import type { ComponentType } from 'react';

export type LoadSetup = () => Promise<ComponentType<Pick<Integration, 'name'>>>;

/**
 * How an integration is connected in the browser. The file `integration.tsx` in a folder of its own exports it as
 * `integration`. No other list exists.
 */
export interface IntegrationUi {
  name: string;
  /** The button of its card. */
  Action: ComponentType<{ integration: Integration }>;
  /** The form in a drawer. */
  Setup?: ComponentType<Pick<Integration, 'name'>>;
  /** Loads the form instead, when it is opened for the first time. */
  loadSetup?: LoadSetup;
  /** The progress of an import on its card. */
  Progress?: ComponentType<Pick<Integration, 'name' | 'status'>>;
}

const modules = import.meta.glob<{ integration: IntegrationUi }>('./*/integration.tsx', { eager: true });

export const integrationUis: readonly IntegrationUi[] = Object.values(modules).map(({ integration }) => integration);
