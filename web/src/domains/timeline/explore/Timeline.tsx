import { lazy, Suspense } from 'react';
import type { OnEntity } from '#ui/EventEntity.tsx';
import { EventList } from './EventList.tsx';
import type { ExploreQuery } from './exploreQuery.ts';
import { TimelineSkeleton } from './TimelineSkeleton.tsx';
import type { Timeline as TimelineState } from './useTimeline.ts';

const NoEvents = lazy(async () => ({ default: (await import('./NoEvents.tsx')).NoEvents }));

const TimelineFailure = lazy(async () => ({ default: (await import('./TimelineFailure.tsx')).TimelineFailure }));

interface TimelineProps {
  timeline: TimelineState;
  query: ExploreQuery;
  setQuery: (patch: Partial<ExploreQuery>) => void;
  /** Minutes from UTC. */
  offset: number;
  onEntity: OnEntity;
}

/** Shows the events, or why there are none. */
export function Timeline({ timeline, query, setQuery, offset, onEntity }: TimelineProps) {
  const { model } = timeline;
  if (timeline.error)
    return (
      <Suspense>
        <TimelineFailure error={timeline.error} query={query} setQuery={setQuery} retry={timeline.retry} />
      </Suspense>
    );
  if (!model) return <TimelineSkeleton />;
  if (model.events === 0)
    return (
      <Suspense fallback={<TimelineSkeleton />}>
        <NoEvents kept={timeline.kept} query={query} setQuery={setQuery} />
      </Suspense>
    );
  return <EventList timeline={timeline} model={model} linked={query.event} offset={offset} onEntity={onEntity} />;
}
