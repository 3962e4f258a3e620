import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { OnEntity } from '#ui/EventEntity.tsx';
import { daysOf } from './days.ts';
import { EventRow } from './EventRow.tsx';
import type { ExploreQuery } from './exploreQuery.ts';
import { NewerEvents } from './NewerEvents.tsx';
import { NoEvents } from './NoEvents.tsx';
import { OlderEvents } from './OlderEvents.tsx';
import s from './Timeline.module.css';
import { TimelineFailure } from './TimelineFailure.tsx';
import { TimelineSkeleton } from './TimelineSkeleton.tsx';
import type { Timeline as TimelineState } from './useTimeline.ts';

interface Props {
  timeline: TimelineState;
  query: ExploreQuery;
  setQuery: (patch: Partial<ExploreQuery>) => void;
  /** Hours from UTC. */
  offset: number;
  onEntity: OnEntity;
}

/** The events by day, newest first, with what expands and loads at both ends. */
export function Timeline({ timeline, query, setQuery, offset, onEntity }: Props) {
  const { events } = timeline;
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(query.event === undefined ? [] : [query.event]));
  const days = useMemo(() => daysOf(events ?? [], offset), [events, offset]);
  const onToggle = useCallback(
    (uuid: string) => setOpen((before) => (before.has(uuid) ? without(before, uuid) : new Set([...before, uuid]))),
    [],
  );
  const feed = useRef<HTMLDivElement>(null);
  const linked = useRef<HTMLLIElement>(null);
  const arrived = events !== undefined;
  useEffect(() => {
    if (arrived) linked.current?.scrollIntoView({ block: 'center' });
  }, [arrived]);

  if (timeline.error)
    return <TimelineFailure error={timeline.error} query={query} setQuery={setQuery} retry={timeline.retry} />;
  if (!events) return <TimelineSkeleton />;
  if (events.length === 0) return <NoEvents query={query} setQuery={setQuery} />;
  return (
    <div className={s.feed} ref={feed} tabIndex={-1}>
      <NewerEvents
        timeline={timeline}
        onRelease={() => {
          timeline.release();
          window.scrollTo({ top: 0 });
          feed.current?.focus({ preventScroll: true });
        }}
      />
      {days.map((day, index) => (
        <section key={day.name} aria-label={day.name}>
          <h2 className={s.date}>
            {day.name}
            {/* A day that is cut off by an end of what is loaded has no known count. */}
            {(index > 0 || !(timeline.hasNewer || timeline.held > 0)) &&
              (index < days.length - 1 || !timeline.hasOlder) && (
                <span className={s.count}>{counted(day.events.length)}</span>
              )}
          </h2>
          <ol>
            {day.events.map((event) => (
              <EventRow
                key={event.uuid}
                ref={event.uuid === query.event ? linked : undefined}
                event={event}
                open={open.has(event.uuid)}
                offset={offset}
                onToggle={onToggle}
                onEntity={onEntity}
              />
            ))}
          </ol>
        </section>
      ))}
      <OlderEvents timeline={timeline} />
    </div>
  );
}

const without = (open: ReadonlySet<string>, uuid: string) => new Set([...open].filter((other) => other !== uuid));
const counted = (count: number) => (count === 1 ? '1 event' : `${number.format(count)} events`);
const number = new Intl.NumberFormat('en-GB');
