import { HostAction } from '../HostAction.tsx';
import { HostSetup } from '../HostSetup.tsx';
import type { IntegrationUi } from '../integrationUis.ts';

export const integration: IntegrationUi = {
  name: 'gitea',
  Action: ({ integration }) => <HostAction host="gitea" integration={integration} />,
  Setup: () => <HostSetup host="gitea" />,
};
