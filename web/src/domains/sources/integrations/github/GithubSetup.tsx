import { listGithubInstallations } from '@sightline/contract/sources/github.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { Failure } from '#ui/Failure.tsx';
import { SetupDrawer } from '../SetupDrawer.tsx';
import { useSetupOpen } from '../setupAddress.ts';
import { GithubAccounts } from './GithubAccounts.tsx';

/** Lists the connected GitHub accounts, connects another one, and disconnects each. */
export function GithubSetup() {
  const manages = useMayManageIntegrations();
  const [isRequested, setOpen] = useSetupOpen('github');
  const opened = isRequested && manages;
  const accounts = useQuery({ ...endpointQuery(listGithubInstallations, {}), enabled: opened, meta: { quiet: true } });
  return (
    <SetupDrawer mark="github" title="GitHub" opened={opened} onClose={() => setOpen(false)} formless>
      {accounts.error && !accounts.data && (
        <Failure
          title="The connected accounts could not be loaded"
          error={accounts.error}
          onRetry={() => void accounts.refetch()}
        />
      )}
      {accounts.data && <GithubAccounts accounts={accounts.data} onClose={() => setOpen(false)} />}
    </SetupDrawer>
  );
}
