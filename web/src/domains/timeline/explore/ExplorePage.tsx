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
import { type ExploreQuestion, exploreQuery } from './exploreQuery.ts';
import { exportFormats, useEventExport } from './exporting.ts';
import { Histogram } from './Histogram.tsx';
import { QueryBar } from './QueryBar.tsx';
import { readQuery } from './readQuery.ts';
import { SavedViews } from './SavedViews.tsx';
import { Timeline } from './Timeline.tsx';
import { useEntityFilter } from './useEntityFilter.ts';
import { useTimeline } from './useTimeline.ts';
import { useZone } from './useZone.ts';
import { clockTime, fullTime } from './zone.ts';

/** Who did what, newest first (spec 2.6). What is asked is in the address. */
export function ExplorePage() {
  const [query, setQuery] = useUrlQuery(exploreQuery);
  const [offset, setOffset] = useZone();
  const { context, event, search } = query;
  const readable = useReadable(query.query);
  const question = useMemo<ExploreQuestion>(
    () => ({ context, query: readable, offset, event }),
    [context, readable, offset, event],
  );
  const timeline = useTimeline(question);
  // What is typed replaces the history entry; a click is one to go back from.
  const onTyped = (text: string) => setQuery(event === undefined ? { query: text } : { query: text, event: undefined });
  const ask = useCallback((text: string) => setQuery({ query: text, event: undefined }), [setQuery]);
  const onEntity = useEntityFilter(readable, ask);
  const removeContext = useCallback(() => setQuery({ context: undefined }), [setQuery]);
  const exporting = useEventExport();
  const controls = useRef<HTMLDivElement>(null);
  const asked = useRef(query);
  useEffect(() => {
    if (search !== '') setQuery({ query: withWords(query.query, search), search: '' });
  }, [search, query.query, setQuery]);
  useEffect(() => {
    if (asked.current === query) return;
    asked.current = query;
    // The button that was pressed may have gone with what it took away.
    if (document.activeElement === document.body) controls.current?.focus({ preventScroll: true });
  }, [query]);

  return (
    <>
      <PageHeader
        title="Explore"
        help={{ href: docsHref('explore'), about: 'Explore' }}
        asOf={
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
        // A new question starts with nothing expanded.
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

/** The last query that could be read, also while the address holds one that cannot. */
function useReadable(text: string): string {
  const [readable, setReadable] = useState(text);
  if (text !== readable && 'node' in readQuery(text)) setReadable(text);
  return readable;
}
