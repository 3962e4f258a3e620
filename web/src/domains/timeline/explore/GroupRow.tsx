import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { memo } from 'react';
import type { EventGroup } from './grouping.ts';
import s from './Timeline.module.css';
import type { RowExpansion } from './useOpened.ts';
import { clockTime } from './zone.ts';

interface GroupRowProps {
  group: EventGroup;
  /** The number of similar events shown above. */
  shown: number;
  offset: number;
  opener: RowExpansion;
}

/** Shows how many events are similar to the one above, and their time range. */
export const GroupRow = memo(function GroupRow({ group, shown, offset, opener }: GroupRowProps) {
  const hidden = group.events.length - 1 - shown;
  return (
    <div className={s.group}>
      {hidden > 0 && (
        <UnstyledButton className={s.more ?? ''} onClick={() => opener.expand(group)}>
          <IconChevronDown size={13} stroke={2} aria-hidden />
          {wordsOf(hidden, shown > 0)}
        </UnstyledButton>
      )}
      {shown > 0 && (
        <UnstyledButton className={s.more ?? ''} onClick={() => opener.collapse(group)}>
          <IconChevronUp size={13} stroke={2} aria-hidden />
          Collapse group
        </UnstyledButton>
      )}
      <span className={s.span}>{spanOf(group, offset)}</span>
    </div>
  );
});

const wordsOf = (count: number, further: boolean) =>
  `${number.format(count)} ${further ? 'more ' : ''}similar ${count === 1 ? 'event' : 'events'}`;

/** '10:35:31 – 10:35:58', or one time if all happened within one second. */
function spanOf({ events }: EventGroup, offset: number): string {
  const times = [events.at(-1), events[0]].map((event) => (event ? clockTime(event.as_of, offset) : ''));
  return [...new Set(times)].join(' – ');
}

const number = new Intl.NumberFormat('en-GB');
