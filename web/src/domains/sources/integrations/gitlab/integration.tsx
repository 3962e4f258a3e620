import { HostAction } from '../HostAction.tsx';
import { HostSetup } from '../HostSetup.tsx';
import type { IntegrationUi } from '../integrationUis.ts';

export const integration: IntegrationUi = {
  name: 'gitlab',
  Action: ({ integration }) => <HostAction host="gitlab" integration={integration} />,
  Setup: () => <HostSetup host="gitlab" />,
};
