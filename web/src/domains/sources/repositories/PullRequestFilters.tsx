import type { CallInput } from '@sightline/contract/core/endpoint.ts';
import {
  closedStatuses,
  getPullRequestsMeta,
  type listPullRequests,
  type PullRequestsQuery,
} from '@sightline/contract/sources/pull-requests.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { Face } from '#ui/Person.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { SegmentedToggle } from '#ui/SegmentedToggle.tsx';

interface PullRequestFiltersProps {
  params: CallInput<typeof listPullRequests>['params'];
  query: PullRequestsQuery;
  setQuery: (patch: Partial<PullRequestsQuery>) => void;
  closed: boolean;
}

/** Filters by status, title and author (spec 2.9). */
export function PullRequestFilters({ params, query, setQuery, closed }: PullRequestFiltersProps) {
  const { data: meta } = useQuery({ ...endpointQuery(getPullRequestsMeta, { params }), meta: { quiet: true } });
  return (
    <Filters end={meta && <Counts open={meta.count.open} closed={meta.count.closed} />}>
      <SegmentedToggle
        label="State"
        choices={[
          { value: 'open', label: 'Open PRs' },
          { value: 'closed', label: 'Closed PRs' },
        ]}
        value={closed ? 'closed' : 'open'}
        onChange={(state) => setQuery({ statuses: state === 'closed' ? closedStatuses : [] })}
      />
      <SearchBox label="Search by title" value={query.search} onChange={(search) => setQuery({ search })} />
      <MultiSelect
        name="Author"
        options={(meta?.authors ?? []).map(({ authorLogin, name, avatarUrl, count }) => ({
          value: authorLogin,
          label: name,
          icon: <Face name={name} picture={avatarUrl ?? undefined} size={20} />,
          count,
        }))}
        values={query.authors}
        onChange={(authors) => setQuery({ authors })}
        emptyText="No users available"
      />
    </Filters>
  );
}

const Counts = ({ open, closed }: { open: number; closed: number }) => (
  <span>
    {number.format(open)} open · {number.format(closed)} closed
  </span>
);

const number = new Intl.NumberFormat('en-GB');
