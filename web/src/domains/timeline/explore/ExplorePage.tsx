import { withWords } from '@sightline/contract/timeline/query-language/edit.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { docsHref } from '#lib/docs.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { ExportMenu, ExportProgress } from '#ui/Export.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { ContextBanner } from './ContextBanner.tsx';
import { EventNotice } from './EventNotice.tsx';
import s from './Explore.module.css';
import { exploreQuery, type TimelineQuery } from './exploreQuery.ts';
import { Histogram } from './Histogram.tsx';
import { QueryBar } from './QueryBar.tsx';
import { readQuery } from './readQuery.ts';
import { SavedViews } from './SavedViews.tsx';
import { Timeline } from './Timeline.tsx';
import { useEntityFilter } from './useEntityFilter.ts';
import { exportFormats, useEventExport } from './useEventExport.ts';
import { useTimeline } from './useTimeline.ts';
import { useZone } from './useZone.ts';
import { clockTime, fullTime } from './zone.ts';

/** The timeline, newest first (spec 2.6). The address holds the query. */
export function ExplorePage() {
  const [query, setQuery] = useUrlQuery(exploreQuery);
  const [offset, setOffset] = useZone();
  const { context, event, search } = query;
  const readable = useReadable(query.query);
  const question = useMemo<TimelineQuery>(
    () => ({ context, query: readable, offset, event }),
    [context, readable, offset, event],
  );
  const timeline = useTimeline(question);
  // Typing replaces the history entry. A click adds one, so that Back reverts it.
  const onTyped = (text: string) => setQuery(event === undefined ? { query: text } : { query: text, event: undefined });
  const ask = useCallback((text: string) => setQuery({ query: text, event: undefined }), [setQuery]);
  const onEntity = useEntityFilter(readable, ask);
  const removeContext = useCallback(() => setQuery({ context: undefined }), [setQuery]);
  const exporting = useEventExport();
  const controls = useRef<HTMLDivElement>(null);
  const previousQuery = useRef(query);
  useEffect(() => {
    if (search !== '') setQuery({ query: withWords(query.query, search), search: '' });
  }, [search, query.query, setQuery]);
  useEffect(() => {
    if (previousQuery.current === query) return;
    previousQuery.current = query;
    // The clicked button may have been removed together with its condition.
    if (document.activeElement === document.body) controls.current?.focus({ preventScroll: true });
  }, [query]);

  return (
    <>
      <PageHeader
        title="Explore"
        help={{ href: docsHref('explore'), about: 'Explore' }}
        freshness={
          timeline.asOf && (
            <time className={s.asOf} dateTime={timeline.asOf} title={fullTime(timeline.asOf, offset)}>
              As of {clockTime(timeline.asOf, offset)}
            </time>
          )
        }
        actions={
          <>
            <SavedViews
              question={question}
              onOpen={(view) => setQuery({ query: view.query, context: view.context ?? undefined, event: undefined })}
            />
            <ExportMenu
              formats={exportFormats}
              disabled={exporting.state !== undefined}
              onExport={(format) => exporting.start(format, question)}
            />
            <CopyButton framed label="Copy link to this view" value={location.href} />
          </>
        }
      />
      {exporting.state && (
        <ExportProgress
          state={exporting.state}
          label="Exporting events"
          noun="events"
          onStop={exporting.stop}
          onRetry={exporting.retry}
        />
      )}
      <div className={s.controls} data-alone={timeline.error !== null || undefined} ref={controls} tabIndex={-1}>
        <QueryBar query={query.query} onQuery={onTyped} offset={offset} onOffset={setOffset} />
      </div>
      {context !== undefined && !timeline.error && <ContextBanner contextId={context} onRemove={removeContext} />}
      {!timeline.error && <Histogram question={question} onQuery={ask} />}
      {event !== undefined && timeline.model && <EventNotice onLatest={() => setQuery({ event: undefined })} />}
      <Timeline
        // A new query starts with no expanded rows.
        key={JSON.stringify(question)}
        timeline={timeline}
        query={query}
        setQuery={setQuery}
        offset={offset}
        onEntity={onEntity}
      />
    </>
  );
}

/** Returns the last valid query, also while the address contains an invalid one. */
function useReadable(text: string): string {
  const [readable, setReadable] = useState(text);
  if (text !== readable && 'node' in readQuery(text)) setReadable(text);
  return readable;
}
