import { Button } from '@mantine/core';
import type { EventKind } from '@sightline/contract/events.ts';
import { IconTimeline } from '@tabler/icons-react';
import { Empty } from '#ui/Empty.tsx';
import { eventLooks } from '#ui/eventLooks.ts';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { type ExploreQuery, filterWords, isFiltered, noFilters } from './exploreQuery.ts';

interface Props {
  query: ExploreQuery;
  setQuery: (patch: Partial<ExploreQuery>) => void;
}

/** Nothing has happened yet, or nothing that fits. */
export const NoEvents = ({ query, setQuery }: Props) => (
  <Panel>
    {isFiltered(query) ? (
      <Empty
        kind="no-match"
        title="No events match"
        filters={filterWords(query, (kind) => eventLooks[kind as EventKind].name)}
        action={
          <Button variant="default" onClick={() => setQuery(noFilters)}>
            Clear filters
          </Button>
        }
      >
        Words are found as whole words, people by their exact login or e-mail address.
      </Empty>
    ) : query.context !== undefined ? (
      <Empty
        kind="no-match"
        title="No events in this context"
        action={
          <Button variant="default" onClick={() => setQuery({ context: undefined })}>
            Remove context
          </Button>
        }
      />
    ) : (
      <Empty
        kind="nothing-yet"
        title="No events yet"
        icon={<IconTimeline size={19} stroke={1.6} />}
        action={
          <Button component={Link} href="/repositories" variant="default">
            Go to Repositories
          </Button>
        }
      >
        Commits and pull requests of enabled repositories appear here as they are read in.
      </Empty>
    )}
  </Panel>
);
