import { Button } from '@mantine/core';
import type { PullRequestsQuery } from '@sightline/contract/pull-requests.ts';
import { IconGitPullRequest } from '@tabler/icons-react';
import { Empty } from '#ui/Empty.tsx';

interface Props {
  query: PullRequestsQuery;
  closed: boolean;
  onClear: () => void;
}

/** Nothing there, or nothing that fits the filters. */
export function NoPullRequests({ query: { search, authors }, closed, onClear }: Props) {
  const title = 'No Pull Requests detected';
  if (search === '' && authors.length === 0) {
    return (
      <Empty kind="nothing-yet" title={title} icon={<IconGitPullRequest size={19} stroke={1.6} />}>
        {closed
          ? 'None has been merged or closed in this repository yet.'
          : 'None is open now. Those that are merged or closed are under Closed PRs.'}
      </Empty>
    );
  }
  const filters = [
    closed ? 'Closed' : 'Open',
    ...authors.map((author) => `Author: ${author}`),
    ...(search === '' ? [] : [`“${search}”`]),
  ];
  return (
    <Empty
      kind="no-match"
      title={title}
      filters={filters}
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      Nothing matches these filters.
    </Empty>
  );
}
