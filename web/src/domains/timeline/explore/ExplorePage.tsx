import type { EventChart } from '@sightline/contract/timeline/event-charts.ts';
import { withWords } from '@sightline/contract/timeline/query-language/edit.ts';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useUrlQuery } from '#lib/url-query.ts';
import { ExportProgress } from '#ui/Export.tsx';
import { ContextBanner } from './ContextBanner.tsx';
import { EventNotice } from './EventNotice.tsx';
import s from './Explore.module.css';
import { ExploreHeader } from './ExploreHeader.tsx';
import { chartFieldsOf, chartOf, exploreQuery, type TimelineQuery } from './exploreQuery.ts';
import { Histogram } from './Histogram.tsx';
import { QueryBar } from './QueryBar.tsx';
import { Timeline } from './Timeline.tsx';
import { useEntityFilter } from './useEntityFilter.ts';
import { useEventExport } from './useEventExport.ts';
import { useShownQuery } from './useShownQuery.ts';
import { useTimeline } from './useTimeline.ts';
import { useZone } from './useZone.ts';

// Loaded with the first chart, and after the events.
const EventChartSection = lazy(async () => ({ default: (await import('./EventChart.tsx')).EventChart }));
// Requested with the page, whose results appear below it.
const starterViews = import('./StarterViews.tsx');
const StarterViews = lazy(async () => ({ default: (await starterViews).StarterViews }));

const firstChart: EventChart = { kind: 'bars', by: 'kind', top: 5, compare: false };

/** The timeline, newest first (spec 2.6). The address holds the query. */
export function ExplorePage() {
  const [query, setQuery] = useUrlQuery(exploreQuery);
  const [offset, setOffset] = useZone();
  const { context, event, search } = query;
  const { shown, rejection, onAnswer } = useShownQuery(query.query);
  const [isInvalid, setInvalid] = useState(false);
  const question = useMemo<TimelineQuery>(
    () => ({ context, query: shown, offset, event }),
    [context, shown, offset, event],
  );
  const timeline = useTimeline(question);
  onAnswer({ hasEvents: timeline.model !== undefined, error: timeline.error });
  const chart = chartOf(query);
  const onChart = (next: EventChart | null) => setQuery(chartFieldsOf(next));
  // Typing replaces the history entry. A click adds one, so that Back reverts it.
  const onTyped = (text: string) => setQuery(event === undefined ? { query: text } : { query: text, event: undefined });
  const ask = useCallback((text: string) => setQuery({ query: text, event: undefined }), [setQuery]);
  const onEntity = useEntityFilter(shown, ask);
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
      <ExploreHeader asOf={timeline.asOf} question={question} chart={chart} exporting={exporting} onView={setQuery} />
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
        <QueryBar
          query={query.query}
          onQuery={onTyped}
          rejection={rejection}
          onInvalid={setInvalid}
          offset={offset}
          onOffset={setOffset}
        />
      </div>
      {/* Around the results, too: the views would move them if they appeared later. */}
      <Suspense>
        {query.query === '' && search === '' && context === undefined && event === undefined && !timeline.error && (
          <StarterViews
            onOpen={(view) => setQuery({ query: view.query, event: undefined, ...chartFieldsOf(view.chart) })}
          />
        )}
        {context !== undefined && !timeline.error && <ContextBanner contextId={context} onRemove={removeContext} />}
        <div className={s.results} data-dimmed={isInvalid || undefined}>
          {!timeline.error && (
            <Histogram question={question} onQuery={ask} onChart={chart ? undefined : () => onChart(firstChart)} />
          )}
          {!timeline.error && chart && (
            <Suspense>
              <EventChartSection question={question} chart={chart} onChart={onChart} onQuery={ask} />
            </Suspense>
          )}
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
        </div>
      </Suspense>
    </>
  );
}
