import { Button } from '@mantine/core';
import { partsOf } from '@sightline/contract/timeline/query-language/edit.ts';
import { starterViews } from '@sightline/contract/timeline/starter-views.ts';
import { IconTimeline } from '@tabler/icons-react';
import { docsHref } from '#lib/docs.ts';
import { DocsLink } from '#ui/DocsLink.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import type { ExploreQuery } from './exploreQuery.ts';
import { retentionText } from './retentionText.ts';
import type { Timeline } from './useTimeline.ts';

interface NoEventsProps {
  kept: Timeline['kept'];
  query: ExploreQuery;
  setQuery: (patch: Partial<ExploreQuery>) => void;
}

/** Shown if no event exists, or none matches. */
export function NoEvents({ kept, query, setQuery }: NoEventsProps) {
  const starter = starterViews.find((view) => view.query === query.query);
  return (
    <Panel>
      {query.query !== '' ? (
        <Empty
          kind="no-match"
          title="No events match"
          filters={partsOf(query.query).map((part) => part.text)}
          action={
            <Button variant="default" onClick={() => setQuery({ query: '', event: undefined })}>
              Clear the query
            </Button>
          }
        >
          {starter ? (
            starter.emptyText
          ) : (
            <>
              Words match completely. Add * to match a prefix. People match by exact login, name or email address.{' '}
              <DocsLink href={docsHref('explore', 'words')}>Query reference</DocsLink>.
            </>
          )}{' '}
          {kept && retentionText(kept)}
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
        >
          {kept && retentionText(kept)}
        </Empty>
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
          Commits and pull requests of enabled repositories appear here as they are imported.{' '}
          {kept && retentionText(kept)}
        </Empty>
      )}
    </Panel>
  );
}
