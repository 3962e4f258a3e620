import { listRepositories } from '@sightline/contract/repositories.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { repositoryHref } from './address.ts';
import { ChooseRepositories } from './ChooseRepositories.tsx';
import { repositoryColumns } from './repositoryColumns.tsx';

/** Search, table and pages; all of their state is in the address. */
export function RepositoriesList({ manages }: { manages: boolean }) {
  const list = usePagedList(listRepositories);
  return (
    <>
      <Filters>
        <SearchBox
          label="Search repositories"
          value={list.query.search}
          onChange={(search) => list.setQuery({ search })}
        />
      </Filters>
      <PagedTable
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

const NoneEnabled = ({ manages }: { manages: boolean }) => (
  <Empty
    kind={manages ? 'nothing-yet' : 'not-allowed'}
    title="No repositories enabled for this organization"
    action={manages && <ChooseRepositories label="Enable repositories" variant="filled" />}
  >
    {manages
      ? 'Choose which ones to read: their commits and pull requests appear within minutes.'
      : 'An account owner of your organization can enable them.'}
  </Empty>
);
