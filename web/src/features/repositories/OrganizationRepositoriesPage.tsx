import { getGithubStatus } from '@sightline/contract/github.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';
import { useManages } from '#lib/rights.ts';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { ChooseRepositories } from './ChooseRepositories.tsx';
import { GithubSettings } from './GithubSettings.tsx';
import { NotConnected } from './NotConnected.tsx';
import s from './Repositories.module.css';
import { RepositoriesList } from './RepositoriesList.tsx';

/** The tab of the organisation's area: where the code comes from, and what of it is enabled (spec 2.8). */
export function OrganizationRepositoriesPage() {
  const github = useQuery({ ...ask(getGithubStatus, {}), meta: { quiet: true } });
  const manages = useManages();
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
  if (!github.data) return <RepositoriesList manages={manages} />;
  if (!github.data.active) return <NotConnected status={github.data} manages={manages} />;
  return (
    <>
      <div className={s.source}>
        <ProviderIcon provider="github" size={20} />
        <p>
          <b>GitHub is connected</b>
          <span>{new Intl.ListFormat('en').format(github.data.accounts)}</span>
        </p>
        {manages && (
          <span className={s.sourceActions}>
            <GithubSettings status={github.data} />
            <ChooseRepositories label="Add repositories" variant="default" />
          </span>
        )}
      </div>
      <RepositoriesList manages={manages} />
    </>
  );
}
