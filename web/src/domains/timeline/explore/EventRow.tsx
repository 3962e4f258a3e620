import type { Event } from '@sightline/contract/timeline/events.ts';
import { IconChevronDown } from '@tabler/icons-react';
import { memo, useId } from 'react';
import { CopyButton } from '#ui/CopyButton.tsx';
import type { OnEntity } from '#ui/EventEntity.tsx';
import { eventAppearanceOf } from '#ui/eventAppearances.ts';
import { Sentence } from '#ui/Sentence.tsx';
import { SeverityWords } from '#ui/Severity.tsx';
import { EventDetails } from './EventDetails.tsx';
import { highestSeveritiesIn } from './eventFacts.ts';
import { isLate } from './isLate.ts';
import s from './Timeline.module.css';
import { clockTime, fullTime } from './zone.ts';

interface EventRowProps {
  event: Event;
  open: boolean;
  /** Minutes from UTC. */
  offset: number;
  onToggle: (uuid: string) => void;
  onEntity: OnEntity;
}

/** Time, type icon and sentence of an event. Memoized and cheap, because it renders during scrolling. */
export const EventRow = memo(function EventRow({ event, open, offset, onToggle, onEntity }: EventRowProps) {
  const { name, Icon, ink } = eventAppearanceOf(event.type);
  const details = useId();
  const worst = highestSeveritiesIn(event.summary);
  return (
    <div className={s.event} data-open={open || undefined}>
      <div className={s.row}>
        <time className={s.time} dateTime={event.as_of} title={fullTime(event.as_of, offset)}>
          {clockTime(event.as_of, offset)}
        </time>
        <span className={s.rail}>
          <span className={s.node} style={{ color: ink }} title={name}>
            <Icon size={15} stroke={1.75} aria-hidden />
            <span className="vh">{name}: </span>
          </span>
        </span>
        <Sentence className={s.sentence} summary={event.summary} onEntity={onEntity} />
        <span className={s.acts}>
          {worst && (
            <span className={s.severities}>
              <SeverityWords counts={worst} />
            </span>
          )}
          {isLate(event) && (
            <span className={s.late} title={`Received ${fullTime(event.receivedAt, offset)}`}>
              Late
            </span>
          )}
          {open && (
            <CopyButton
              compact
              label="Copy link to this event"
              value={`${location.origin}/explore?event=${event.uuid}`}
            />
          )}
          <button
            type="button"
            className={s.toggle}
            aria-expanded={open}
            aria-controls={open ? details : undefined}
            aria-label={open ? 'Hide details' : 'Show details'}
            onClick={() => onToggle(event.uuid)}
          >
            <IconChevronDown size={16} className={s.chevron} aria-hidden />
          </button>
        </span>
      </div>
      {open && <EventDetails id={details} event={event} offset={offset} onEntity={onEntity} />}
    </div>
  );
});
