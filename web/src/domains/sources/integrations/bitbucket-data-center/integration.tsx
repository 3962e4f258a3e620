import { HostAction } from '../HostAction.tsx';
import { HostSetup } from '../HostSetup.tsx';
import type { IntegrationUi } from '../integrationUis.ts';

export const integration: IntegrationUi = {
  name: 'bitbucket-data-center',
  Action: ({ integration }) => <HostAction host="bitbucket-data-center" integration={integration} />,
  Setup: () => <HostSetup host="bitbucket-data-center" />,
};
