import { getGithubStatus } from '@sightline/contract/sources/github.ts';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { Failure } from '#ui/Failure.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { ChooseRepositories } from './ChooseRepositories.tsx';
import { GithubSettings } from './GithubSettings.tsx';
import { NotConnected } from './NotConnected.tsx';
import s from './Repositories.module.css';
import { RepositoriesList } from './RepositoriesList.tsx';
import { useOtherHosts } from './useOtherHosts.ts';

/** The organization tab of code hosts and enabled repositories (spec 2.8). */
export function OrganizationRepositoriesPage() {
  const github = useQuery({ ...endpointQuery(getGithubStatus, {}), meta: { quiet: true } });
  const manages = useMayManageIntegrations();
  const others = useOtherHosts();
  if (github.isError && !github.data) {
    return (
      <Panel>
        <Failure
          title="The connection to GitHub could not be checked"
          error={github.error}
          onRetry={() => void github.refetch()}
        />
      </Panel>
    );
  }
  if (!github.data || !others) return <RepositoriesList manages={manages} />;
  const { active, accounts } = github.data;
  if (!active && others.length === 0) return <NotConnected status={github.data} manages={manages} />;
  return (
    <>
      <div className={s.source}>
        {active && (
          <>
            <ProviderIcon provider="github" size={20} />
            <p>
              <b>GitHub is connected</b>
              <span>{new Intl.ListFormat('en').format(accounts)}</span>
            </p>
          </>
        )}
        {others.map(({ name, title, detail, status }) => (
          <Fragment key={name}>
            <ProviderIcon provider={name} size={20} />
            <p>
              <b>{status === 'error' ? `${title} is failing` : `${title} is connected`}</b>
              {status === 'error' ? (
                <Link href={`/integrations/source-code-management?setup=${name}`} className="link">
                  View problem
                </Link>
              ) : (
                <span>{detail}</span>
              )}
            </p>
          </Fragment>
        ))}
        {manages && (
          <span className={s.sourceActions}>
            {active && <GithubSettings status={github.data} />}
            <ChooseRepositories label="Add repositories" variant="default" />
          </span>
        )}
      </div>
      <RepositoriesList manages={manages} />
    </>
  );
}
