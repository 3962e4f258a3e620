import { UnstyledButton } from '@mantine/core';
import { getGithubStatus } from '@sightline/contract/sources/github.ts';
import type { Integration } from '@sightline/contract/sources/integrations.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { useGithubInstall } from '#lib/github-install.ts';
import { useManageIntegrationsRefusal } from '#lib/rights.ts';
import { DisabledReason } from '#ui/DisabledReason.tsx';
import { categoryPath } from '../categories.ts';
import { HostAction } from '../HostAction.tsx';
import s from '../Integrations.module.css';

/** Opens the connected accounts, or connects the first one. */
export const GithubAction = ({ integration }: { integration: Integration }) =>
  integration.status === 'inactive' ? <Connect /> : <HostAction host="github" integration={integration} />;

/** Installs the app if one exists. GitHub redirects back to this page. */
function Connect() {
  const github = useQuery({ ...endpointQuery(getGithubStatus, {}), meta: { quiet: true } }).data;
  const reason = useManageIntegrationsRefusal('Only account owner can connect to GitHub');
  const { start, leaving } = useGithubInstall(categoryPath('source-code-management'));
  if (!github || github.state === 'not_configured') return null;
  return (
    <DisabledReason reason={reason}>
      <UnstyledButton
        className={s.action ?? ''}
        disabled={reason !== undefined || leaving}
        aria-busy={leaving}
        onClick={start}
      >
        {github.sandbox ? 'Connect Sandbox GitHub' : 'Connect GitHub'}
      </UnstyledButton>
    </DisabledReason>
  );
}
