import { HostAction } from '../HostAction.tsx';
import { HostSetup } from '../HostSetup.tsx';
import type { IntegrationUi } from '../integrationUis.ts';

export const integration: IntegrationUi = {
  name: 'bitbucket',
  Action: ({ integration }) => <HostAction host="bitbucket" integration={integration} />,
  Setup: () => <HostSetup host="bitbucket" />,
};
