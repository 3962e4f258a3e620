import { HostAction } from '../HostAction.tsx';
import { HostSetup } from '../HostSetup.tsx';
import type { IntegrationUi } from '../integrationUis.ts';

export const integration: IntegrationUi = {
  name: 'gerrit',
  Action: ({ integration }) => <HostAction host="gerrit" integration={integration} />,
  Setup: () => <HostSetup host="gerrit" />,
};
