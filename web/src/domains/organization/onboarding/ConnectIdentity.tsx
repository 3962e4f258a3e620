import { Button } from '@mantine/core';
import { listConnections } from '@sightline/contract/identity/identities.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { startLinking } from '#lib/linking.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { Link } from '#ui/Link.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import s from './Setup.module.css';
import { StepCard } from './StepCard.tsx';

const here = '/onboarding/setup/1';

/** Step 1 of contributors. The setup continues when the identity exists, also if it was linked elsewhere. */
export function ConnectIdentity() {
  const connections = useQuery({ ...endpointQuery(listConnections, {}), meta: { quiet: true } });
  const github = connections.data?.find(({ kind }) => kind === 'github');
  const connect = useMutation({
    mutationFn: (connection: string) => startLinking(connection, here),
    onSuccess: ({ url }) => window.location.assign(url),
    meta: { quiet: true },
  });
  const name = github?.sandbox ? 'Sandbox GitHub' : 'GitHub';
  return (
    <StepCard
      title="Connect your GitHub identity"
      text="Sightline then links your commits, pull requests and reviews to you and shows your repositories."
      more={{ href: docsHref('privacy', 'code-hosts'), words: 'Imported data' }}
    >
      <div className={s.body}>
        <div className={s.host}>
          <ProviderIcon provider="github" size={28} />
          <div className={s.hostText}>
            <h2>{name}</h2>
            <p>
              {connections.data && !github
                ? 'Sign-in with GitHub is not configured on this server. Its operator can configure it. You can connect it later under Account Settings.'
                : 'You sign in there once. Sightline reads only your login and your confirmed addresses.'}
            </p>
          </div>
          {github && (
            <Button
              loading={connect.isPending || connect.isSuccess}
              onClick={() => connect.mutate(github.connection)}
            >{`Connect ${name}`}</Button>
          )}
        </div>
        {connections.isError && (
          <Banner tone="error">
            {errorMessageOf(connections.error, 'The sign-in methods could not be loaded.')}{' '}
            <Button variant="default" size="compact-sm" onClick={() => connections.refetch()}>
              Try again
            </Button>
          </Banner>
        )}
        {connect.error && (
          <Banner tone="error">{errorMessageOf(connect.error, 'Connecting GitHub could not be started.')}</Banner>
        )}
      </div>
      <div className={s.foot}>
        <Button variant="subtle" component={Link} href="/onboarding/setup/2">
          I'll do this later
        </Button>
      </div>
    </StepCard>
  );
}
