import { Button } from '@mantine/core';
import type { ApiError } from '@sightline/contract/client.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Empty } from '#ui/Empty.tsx';
import { Panel } from '#ui/Panel.tsx';
import type { ExploreQuery } from './exploreQuery.ts';

interface Props {
  error: ApiError;
  query: ExploreQuery;
  setQuery: (patch: Partial<ExploreQuery>) => void;
  retry: () => void;
}

/** Why there is no timeline, and a way on: an address can also name an event or a context that is not there. */
export function TimelineFailure({ error, query, setQuery, retry }: Props) {
  const lost = error.status === 404 && (query.event !== undefined || query.context !== undefined);
  return (
    <Panel>
      <Empty
        kind="nothing-yet"
        title={lost ? 'This link leads nowhere' : 'The events could not be loaded'}
        icon={<IconAlertTriangle size={19} stroke={1.6} />}
        action={
          lost ? (
            <Button onClick={() => setQuery({ event: undefined, context: undefined })}>Show all events</Button>
          ) : (
            <Button variant="default" onClick={retry}>
              Try again
            </Button>
          )
        }
      >
        {lost
          ? 'What it points to is not in this organization, or not for you to see.'
          : (error.refusal?.message ?? 'The server could not be reached. Check your connection.')}
      </Empty>
    </Panel>
  );
}
