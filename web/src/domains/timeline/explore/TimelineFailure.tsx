import { Button } from '@mantine/core';
import type { ApiError } from '@sightline/contract/core/client.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { z } from 'zod';
import { Empty } from '#ui/Empty.tsx';
import { Panel } from '#ui/Panel.tsx';
import type { ExploreQuery } from './exploreQuery.ts';

interface TimelineFailureProps {
  error: ApiError;
  query: ExploreQuery;
  setQuery: (patch: Partial<ExploreQuery>) => void;
  retry: () => void;
}

/** Explains why the timeline failed and offers an action. The address may name an unknown event or context. */
export function TimelineFailure({ error, query, setQuery, retry }: TimelineFailureProps) {
  const { code, message, cause } = error.refusal ?? {};
  const unreadable = code === 'query_invalid' || code === 'query_too_complex';
  const isNoContext = query.context !== undefined && !z.uuid().safeParse(query.context).success;
  const broken = isNoContext || (error.status === 404 && (query.event !== undefined || query.context !== undefined));
  return (
    <Panel>
      <Empty
        kind="nothing-yet"
        title={broken ? 'Link not available' : (titles[code ?? ''] ?? 'The events could not be loaded')}
        icon={<IconAlertTriangle size={19} stroke={1.6} />}
        action={
          broken ? (
            <Button onClick={() => setQuery({ event: undefined, context: undefined })}>Show all events</Button>
          ) : unreadable ? (
            <Button variant="default" onClick={() => setQuery({ query: '', event: undefined })}>
              Clear the query
            </Button>
          ) : (
            <Button variant="default" onClick={retry}>
              Try again
            </Button>
          )
        }
      >
        {broken
          ? 'The linked item is not in this organization, or you have no access to it.'
          : [message ?? 'The server could not be reached. Check your connection.', cause].join(' ')}
      </Empty>
    </Panel>
  );
}

const titles: Record<string, string> = {
  query_invalid: 'Invalid query',
  query_too_complex: 'Query too complex',
  rate_limited: 'Limit reached',
};
