import { HostAction } from '../HostAction.tsx';
import { HostSetup } from '../HostSetup.tsx';
import type { IntegrationUi } from '../integrationUis.ts';

export const integration: IntegrationUi = {
  name: 'azure-devops',
  Action: ({ integration }) => <HostAction host="azure-devops" integration={integration} />,
  Setup: () => <HostSetup host="azure-devops" />,
};
