import { getGithubStatus } from '@sightline/contract/sources/github.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { Failure } from '#ui/Failure.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { ChooseRepositories } from './ChooseRepositories.tsx';
import { GithubSettings } from './GithubSettings.tsx';
import { NotConnected } from './NotConnected.tsx';
import { RepositoriesList } from './RepositoriesList.tsx';
import { useOtherHosts } from './useOtherHosts.ts';

/** Lists the repositories of the organization, or offers to connect the first one (spec 2.9). */
export function RepositoriesPage() {
  const github = useQuery({ ...endpointQuery(getGithubStatus, {}), meta: { quiet: true } });
  const manages = useMayManageIntegrations();
  const others = useOtherHosts();
  const isGithub = github.data?.active ?? false;
  const active = isGithub || (others ?? []).length > 0;
  return (
    <>
      <PageHeader
        title="Repositories"
        help={{ href: docsHref('repositories'), about: 'repositories' }}
        note={active && 'Last change: the newest commit on the default branch.'}
        actions={
          // Without a connection, the page itself offers one.
          manages &&
          active &&
          github.data && (
            <>
              {isGithub && <GithubSettings status={github.data} />}
              <ChooseRepositories label="Add repositories" variant="default" />
            </>
          )
        }
      />
      {github.isError && (
        <Panel>
          <Failure
            title="The connection to GitHub could not be checked"
            error={github.error}
            onRetry={() => github.refetch()}
          />
        </Panel>
      )}
      {github.data && others && !active && <NotConnected status={github.data} manages={manages} />}
      {!github.isError && (active || github.isPending || !others) && <RepositoriesList manages={manages} />}
    </>
  );
}
