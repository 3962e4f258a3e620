import { Button } from '@mantine/core';
import { type ConnectableHost, connectableHosts, providerNames } from '@sightline/contract/core/providers.ts';
import { getGithubStatus } from '@sightline/contract/sources/github.ts';
import { listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { endpointQuery } from '#lib/api.ts';
import { useGithubInstall } from '#lib/github-install.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { stringifySearch } from '#lib/search-params.ts';
import { Banner } from '#ui/Banner.tsx';
import { Link } from '#ui/Link.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import s from './Setup.module.css';
import { StepCard } from './StepCard.tsx';

type GithubStatus = z.output<typeof getGithubStatus.response>;

/** Step 2. Shown until the code host offers at least one repository, then the setup continues automatically. */
export function ConnectVersionControl() {
  const github = useQuery({ ...endpointQuery(getGithubStatus, {}), meta: { quiet: true } });
  const connect = useGithubInstall('/onboarding/setup/3', { quiet: true });
  return (
    <StepCard
      title="Connect version control"
      text="Sightline reads commits, pull requests and reviews from your code host. It never writes to your code."
    >
      <div className={s.body}>
        {github.data && <GithubCard status={github.data} leaving={connect.leaving} onConnect={connect.start} />}
        {connectableHosts.map((host) => (
          <OtherHost key={host} host={host} />
        ))}
        {github.isError && (
          <Banner tone="error">
            {errorMessageOf(github.error, 'The state of the connection could not be loaded.')}{' '}
            <Button variant="default" size="compact-sm" onClick={() => github.refetch()}>
              Try again
            </Button>
          </Banner>
        )}
        {connect.error && (
          <Banner tone="error">{errorMessageOf(connect.error, 'The connection could not be started.')}</Banner>
        )}
      </div>
    </StepCard>
  );
}

/** A host without an app, connected under Integrations, which redirects back when repositories are available. */
const OtherHost = ({ host }: { host: ConnectableHost }) => (
  <div className={s.host}>
    <ProviderIcon provider={host} size={28} />
    <div className={s.hostText}>
      <h2>{providerNames[host]}</h2>
      <p>Sign in there or use an access token, then select repositories.</p>
    </div>
    <Button
      variant="default"
      component={Link}
      href={`/integrations/source-code-management${stringifySearch({ setup: host, path: '/onboarding/setup/3' })}`}
    >
      Connect {providerNames[host]}
    </Button>
  </div>
);

interface CardProps {
  status: GithubStatus;
  leaving: boolean;
  onConnect: () => void;
}

function GithubCard({ status, leaving, onConnect }: CardProps) {
  const name = status.sandbox ? 'Sandbox GitHub' : 'GitHub';
  return (
    <div className={s.host}>
      <ProviderIcon provider="github" size={28} />
      <div className={s.hostText}>
        <h2>{name}</h2>
        <Words {...status} />
      </div>
      {status.state === 'active' ? (
        <CheckAgain settingsURL={status.settingsURL} />
      ) : (
        status.state !== 'not_configured' && (
          <Button loading={leaving} onClick={onConnect}>
            {status.state === 'not_connected' ? `Connect ${name}` : 'Connect again'}
          </Button>
        )
      )}
    </div>
  );
}

function Words({ state, accounts, settingsURL, sandbox }: GithubStatus): ReactNode {
  switch (state) {
    case 'not_connected':
      return (
        <p>{sandbox ? 'A local GitHub sandbox with example repositories. No account required.' : 'Not connected.'}</p>
      );
    case 'not_configured':
      return (
        <p>
          No GitHub app is configured on this server. Its operator must register one and set <code>GITHUB_APP_ID</code>,{' '}
          <code>GITHUB_APP_SLUG</code>, <code>GITHUB_APP_PRIVATE_KEY</code>, <code>GITHUB_APP_CLIENT_ID</code>,{' '}
          <code>GITHUB_APP_CLIENT_SECRET</code> and <code>GITHUB_WEBHOOK_SECRET</code>.
        </p>
      );
    case 'waiting_for_approval':
      return <p>An owner of the GitHub organization must approve the request. You can return later.</p>;
    case 'suspended':
      return (
        <p>
          The app is suspended on {accounts.join(', ') || 'GitHub'}.{' '}
          {settingsURL !== null && (
            <a className="link" href={settingsURL}>
              Resume it in its settings
            </a>
          )}
        </p>
      );
    case 'active':
      return <p>Connected to {accounts.join(', ')}. No repositories available yet. This can take a moment.</p>;
  }
}

function CheckAgain({ settingsURL }: { settingsURL: string | null }) {
  const repositories = useQuery(endpointQuery(listProviderRepos, {}));
  return (
    <>
      {settingsURL !== null && (
        <Button variant="default" component="a" href={settingsURL}>
          Choose repositories on GitHub
        </Button>
      )}
      <Button loading={repositories.isFetching} onClick={() => repositories.refetch()}>
        Check again
      </Button>
    </>
  );
}
