import { closedStatuses, listPullRequests, openStatuses } from '@sightline/contract/pull-requests.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Pagination } from '#ui/Pagination.tsx';
import { Panel } from '#ui/Panel.tsx';
import { type RepositoryAddress, useAddress } from './address.ts';
import { Failure } from './Failure.tsx';
import { NoPullRequests } from './NoPullRequests.tsx';
import { PullRequestFilters } from './PullRequestFilters.tsx';
import { pullRequestColumns } from './pullRequestColumns.tsx';
import { useLastPage } from './useLastPage.ts';

export function PullRequestsPage() {
  const address = useAddress();
  return address && <PullRequests address={address} />;
}

function PullRequests({ address: { provider, repoPath } }: { address: RepositoryAddress }) {
  const params = { provider, repoPath };
  const [query, setQuery] = useUrlQuery(listPullRequests.query);
  // The address is silent about the open ones: they are what a visitor comes for.
  const closed = query.statuses.includes('closed');
  const statuses = closed ? closedStatuses : openStatuses;
  const pullRequests = useQuery({
    ...ask(listPullRequests, { params, query: { ...query, statuses } }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const { rows, total = 0 } = pullRequests.data ?? {};
  useLastPage(query, pullRequests, setQuery);

  return (
    <>
      <PullRequestFilters params={params} query={query} setQuery={setQuery} closed={closed} />
      <Panel flush>
        {pullRequests.isError && !rows ? (
          <Failure
            title="The pull requests could not be loaded"
            error={pullRequests.error}
            onRetry={() => pullRequests.refetch()}
          />
        ) : (
          <DataTable
            label={closed ? 'Closed pull requests' : 'Open pull requests'}
            columns={pullRequestColumns}
            rows={rows}
            rowKey={({ id }) => id}
            sort={query.sort}
            onSort={(sort) => setQuery({ sort: sort as typeof query.sort })}
            stale={pullRequests.isPlaceholderData}
            empty={
              <NoPullRequests query={query} closed={closed} onClear={() => setQuery({ search: '', authors: [] })} />
            }
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
