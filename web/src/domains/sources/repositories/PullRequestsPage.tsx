import { closedStatuses, listPullRequests, openStatuses } from '@sightline/contract/sources/pull-requests.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { type RepositoryAddress, useRepositoryAddress } from './address.ts';
import { NoPullRequests } from './NoPullRequests.tsx';
import { PullRequestFilters } from './PullRequestFilters.tsx';
import { pullRequestColumns } from './pullRequestColumns.tsx';

export function PullRequestsPage() {
  const address = useRepositoryAddress();
  return address && <PullRequests address={address} />;
}

// The address omits open pull requests, which are the default.
const isClosed = (statuses: readonly string[]) => statuses.includes('closed');

function PullRequests({ address: { provider, repoPath } }: { address: RepositoryAddress }) {
  const params = { provider, repoPath };
  const list = usePagedList(listPullRequests, {
    input: (query) => ({
      params,
      query: { ...query, statuses: isClosed(query.statuses) ? closedStatuses : openStatuses },
    }),
    view: ['statuses'],
  });
  const { query, setQuery } = list;
  const closed = isClosed(query.statuses);
  return (
    <>
      <PullRequestFilters params={params} query={query} setQuery={setQuery} closed={closed} />
      <ListTable
        views="pull-requests"
        list={list}
        label={closed ? 'Closed pull requests' : 'Open pull requests'}
        noun="pull requests"
        columns={pullRequestColumns}
        rowKey={({ id }) => id}
        tall
        empty={<NoPullRequests closed={closed} />}
        noMatch="No Pull Requests detected"
        filters={[closed ? 'Closed' : 'Open', ...query.authors.map((author) => `Author: ${author}`)]}
      />
    </>
  );
}
