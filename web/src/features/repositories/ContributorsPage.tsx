import { Button } from '@mantine/core';
import { listContributors } from '@sightline/contract/contributors.ts';
import { IconUsers } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { Pagination } from '#ui/Pagination.tsx';
import { Panel } from '#ui/Panel.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { type RepositoryAddress, useAddress } from './address.ts';
import { contributorColumns } from './contributorColumns.tsx';
import { Failure } from './Failure.tsx';
import { useLastPage } from './useLastPage.ts';

export function ContributorsPage() {
  const address = useAddress();
  return address && <Contributors address={address} />;
}

function Contributors({ address: { provider, repoPath } }: { address: RepositoryAddress }) {
  const [query, setQuery] = useUrlQuery(listContributors.query);
  const contributors = useQuery({
    ...ask(listContributors, { params: { provider, repoPath }, query }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const { rows, total = 0 } = contributors.data ?? {};
  useLastPage(query, contributors, setQuery);

  return (
    <>
      <Filters>
        <SearchBox label="Search contributors" value={query.search} onChange={(search) => setQuery({ search })} />
      </Filters>
      <Panel flush>
        {contributors.isError && !rows ? (
          <Failure
            title="The contributors could not be loaded"
            error={contributors.error}
            onRetry={() => contributors.refetch()}
          />
        ) : (
          <DataTable
            label="Contributors"
            columns={contributorColumns}
            rows={rows}
            rowKey={({ id }) => id}
            sort={query.sort}
            onSort={(sort) => setQuery({ sort: sort as typeof query.sort })}
            stale={contributors.isPlaceholderData}
            empty={<NoContributors search={query.search} onClear={() => setQuery({ search: '' })} />}
            tall
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

const NoContributors = ({ search, onClear }: { search: string; onClear: () => void }) =>
  search === '' ? (
    <Empty kind="nothing-yet" title="No contributors detected" icon={<IconUsers size={19} stroke={1.6} />}>
      Whoever commits to this repository appears here.
    </Empty>
  ) : (
    <Empty
      kind="no-match"
      title="No contributor matches"
      filters={[`“${search}”`]}
      action={
        <Button variant="default" onClick={onClear}>
          Clear search
        </Button>
      }
    />
  );
