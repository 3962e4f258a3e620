import { Select } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import s from './Zone.module.css';
import { browserOffset, browserZone, clockTime, offered, zoneName } from './zone.ts';

interface ZoneSelectProps {
  /** Minutes from UTC. */
  offset: number;
  onChange: (offset: number) => void;
}

const moreOffsets = 'more';

/** The timezone badge with its clock: 25 offsets (spec 2.6) and the browser's own, the others there are behind "more". */
export function ZoneSelect({ offset, onChange }: ZoneSelectProps) {
  const [opened, setOpened] = useState(false);
  const [more, setMore] = useState(false);
  const stays = useRef(false);
  const choices = offered(browserOffset(), more || !offered().includes(offset));
  return (
    <div className={s.zone} title={offset === browserOffset() ? browserZone() : undefined}>
      <Select
        aria-label="Timezone"
        data={[
          ...choices.map((minutes) => ({ value: String(minutes), label: labelOf(minutes) })),
          ...(choices.length > offered().length ? [] : [{ value: moreOffsets, label: 'More offsets…' }]),
        ]}
        value={String(offset)}
        onChange={(value) => value !== null && value !== moreOffsets && onChange(Number(value))}
        onOptionSubmit={(value) => {
          // The list goes on: whoever asks for more has not chosen yet.
          stays.current = value === moreOffsets;
          if (stays.current) setMore(true);
        }}
        dropdownOpened={opened}
        onDropdownOpen={() => setOpened(true)}
        onDropdownClose={() => {
          setOpened(stays.current);
          stays.current = false;
        }}
        leftSection={<ZoneClock offset={offset} />}
        leftSectionWidth={70}
        w={208}
        allowDeselect={false}
        maxDropdownHeight={320}
        // The list scrolls with the arrow keys: a scroll area around it could not be reached by any.
        withScrollArea={false}
        classNames={{ options: s.zones ?? '', input: s.input ?? '' }}
        comboboxProps={{ width: 208, position: 'bottom-end' }}
      />
    </div>
  );
}

/** Of the browser's own offset the place is told besides: its winter may be another. */
const labelOf = (minutes: number) => (minutes === browserOffset() ? `${zoneName(minutes)} (local)` : zoneName(minutes));

/** What time it is in the zone, each second; nothing else is drawn for it. */
function ZoneClock({ offset }: { offset: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1000);
    return () => window.clearInterval(timer);
  }, []);
  return (
    <time className={s.clock} dateTime={new Date(now).toISOString()} title="Time now">
      {clockTime(now, offset)}
    </time>
  );
}
