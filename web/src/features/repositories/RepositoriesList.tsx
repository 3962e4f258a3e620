import { Button } from '@mantine/core';
import { listRepositories } from '@sightline/contract/repositories.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { Pagination } from '#ui/Pagination.tsx';
import { Panel } from '#ui/Panel.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { repositoryHref } from './address.ts';
import { ChooseRepositories } from './ChooseRepositories.tsx';
import { Failure } from './Failure.tsx';
import { repositoryColumns } from './repositoryColumns.tsx';
import { useLastPage } from './useLastPage.ts';

/** Search, table and pages; all of their state is in the address. */
export function RepositoriesList({ manages }: { manages: boolean }) {
  const [query, setQuery] = useUrlQuery(listRepositories.query);
  const repositories = useQuery({
    ...ask(listRepositories, { query }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const { rows, total = 0 } = repositories.data ?? {};
  useLastPage(query, repositories, setQuery);

  return (
    <>
      <Filters>
        <SearchBox label="Search repositories" value={query.search} onChange={(search) => setQuery({ search })} />
      </Filters>
      <Panel flush>
        {repositories.isError && !rows ? (
          <Failure
            title="The repositories could not be loaded"
            error={repositories.error}
            onRetry={() => repositories.refetch()}
          />
        ) : (
          <DataTable
            label="Repositories"
            columns={repositoryColumns(rows ?? [], manages)}
            rows={rows}
            rowKey={({ id }) => id}
            rowHref={repositoryHref}
            sort={query.sort}
            onSort={(sort) => setQuery({ sort: sort as typeof query.sort })}
            stale={repositories.isPlaceholderData}
            empty={
              query.search === '' ? (
                <NoneEnabled manages={manages} />
              ) : (
                <NoMatch search={query.search} onClear={() => setQuery({ search: '' })} />
              )
            }
          />
        )}
        <Pagination
          page={query.page}
          perPage={query.perPage}
          total={total}
          onPage={(page) => setQuery({ page })}
          onPerPage={(perPage) => setQuery({ perPage, page: 1 })}
        />
      </Panel>
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

const NoMatch = ({ search, onClear }: { search: string; onClear: () => void }) => (
  <Empty
    kind="no-match"
    title="No repository matches"
    filters={[`“${search}”`]}
    action={
      <Button variant="default" onClick={onClear}>
        Clear search
      </Button>
    }
  />
);
