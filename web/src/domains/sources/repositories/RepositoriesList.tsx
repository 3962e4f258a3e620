import { Button } from '@mantine/core';
import { listRepositories } from '@sightline/contract/sources/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import { account } from '#lib/account.ts';
import { useUsesGithub } from '#lib/onboarding.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { repositoryHref } from '#lib/repository-href.ts';
import { isContributor, useSession } from '#lib/session.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { Link } from '#ui/Link.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { ChooseRepositories } from './ChooseRepositories.tsx';
import { repositoryColumns } from './repositoryColumns.tsx';

/** Search, table and pagination. The address holds their state. */
export function RepositoriesList({ manages }: { manages: boolean }) {
  const list = usePagedList(listRepositories);
  return (
    <>
      {!list.isEmptyUnfiltered && (
        <Filters>
          <SearchBox
            label="Search repositories"
            value={list.query.search}
            onChange={(search) => list.setQuery({ search })}
          />
        </Filters>
      )}
      <ListTable
        views="repositories"
        list={list}
        label="Repositories"
        noun="repositories"
        columns={repositoryColumns(list.rows ?? [], manages)}
        rowKey={({ id }) => id}
        rowHref={repositoryHref}
        empty={<NoneEnabled manages={manages} />}
        noMatch="No repository matches"
      />
    </>
  );
}

function NoneEnabled({ manages }: { manages: boolean }) {
  const ownOnly = isContributor(useSession()) && !manages;
  if (ownOnly) return <NoOwnRepositories />;
  return (
    <Empty
      kind={manages ? 'nothing-yet' : 'not-allowed'}
      title="No repositories enabled for this organization"
      action={manages && <ChooseRepositories label="Enable repositories" variant="filled" />}
    >
      {manages
        ? 'Select repositories. Their commits and pull requests appear within minutes.'
        : 'An Account Owner of your organization can enable them.'}
    </Empty>
  );
}

/** Contributors see only repositories with their commits, which may be none or under an unlinked identity. */
function NoOwnRepositories() {
  const me = useQuery(account()).data;
  const usesGithub = useUsesGithub();
  const unknown = me !== undefined && me.traits.github === null && usesGithub === true;
  return (
    <Empty
      kind="nothing-yet"
      title="No repositories"
      action={
        unknown && (
          <Button component={Link} href="/onboarding/setup/1">
            Connect your GitHub identity
          </Button>
        )
      }
    >
      Repositories appear here once you have committed to them, or opened or reviewed a pull request, and your
      organization has enabled them.
    </Empty>
  );
}
