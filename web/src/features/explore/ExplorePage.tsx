import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useUrlQuery } from '#lib/url-query.ts';
import { PageHeader } from '#ui/PageHeader.tsx';
import { ContextBanner } from './ContextBanner.tsx';
import { EventNotice } from './EventNotice.tsx';
import s from './Explore.module.css';
import { ExploreFilters } from './ExploreFilters.tsx';
import { exploreQuery, filtersOf } from './exploreQuery.ts';
import { QueryBar } from './QueryBar.tsx';
import { Timeline } from './Timeline.tsx';
import { useEntityFilter } from './useEntityFilter.ts';
import { useTimeline } from './useTimeline.ts';
import { useZone } from './useZone.ts';

/** Who did what, newest first (spec 2.6). What is asked is in the address. */
export function ExplorePage() {
  const [query, setQuery] = useUrlQuery(exploreQuery);
  const [offset, setOffset] = useZone();
  const question = useMemo(
    () => ({ context: query.context, filters: filtersOf(query), query: query.query, event: query.event }),
    [query],
  );
  const timeline = useTimeline(question);
  const onEntity = useEntityFilter(query, setQuery);
  const removeContext = useCallback(() => setQuery({ context: undefined }), [setQuery]);
  const controls = useRef<HTMLDivElement>(null);
  const asked = useRef(query);
  useEffect(() => {
    if (asked.current === query) return;
    asked.current = query;
    // The button that was pressed may have gone with what it took away.
    if (document.activeElement === document.body) controls.current?.focus({ preventScroll: true });
  }, [query]);
  const showLatest = () => setQuery({ event: undefined });

  return (
    <>
      <PageHeader title="Explore" />
      <div className={s.controls} ref={controls} tabIndex={-1}>
        <QueryBar query={query} setQuery={setQuery} offset={offset} onOffset={setOffset} />
        <ExploreFilters query={query} setQuery={setQuery} events={timeline.events} />
      </div>
      {query.context !== undefined && !timeline.error && (
        <ContextBanner contextId={query.context} onRemove={removeContext} />
      )}
      {query.event !== undefined && timeline.events && <EventNotice onLatest={showLatest} />}
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
