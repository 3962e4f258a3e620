import { Select } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import s from './Zone.module.css';
import { browserOffset, browserZone, clockTime, offeredOffsets, zoneName } from './zone.ts';

interface ZoneSelectProps {
  /** Minutes from UTC. */
  offset: number;
  onChange: (offset: number) => void;
}

const moreOffsets = 'more';

/** The time zone menu with a clock: 25 offsets (spec 2.6), that of the browser, and all others behind "more". */
export function ZoneSelect({ offset, onChange }: ZoneSelectProps) {
  const [opened, setOpened] = useState(false);
  const [more, setMore] = useState(false);
  const keepsOpen = useRef(false);
  const choices = offeredOffsets(browserOffset(), more || !offeredOffsets().includes(offset));
  return (
    <div className={s.zone} title={offset === browserOffset() ? browserZone() : undefined}>
      <Select
        aria-label="Timezone"
        data={[
          ...choices.map((minutes) => ({ value: String(minutes), label: labelOf(minutes) })),
          ...(choices.length > offeredOffsets().length ? [] : [{ value: moreOffsets, label: 'More offsets…' }]),
        ]}
        value={String(offset)}
        onChange={(value) => value !== null && value !== moreOffsets && onChange(Number(value))}
        onOptionSubmit={(value) => {
          // Selecting "more" keeps the list open, because no offset is selected yet.
          keepsOpen.current = value === moreOffsets;
          if (keepsOpen.current) setMore(true);
        }}
        dropdownOpened={opened}
        onDropdownOpen={() => setOpened(true)}
        onDropdownClose={() => {
          setOpened(keepsOpen.current);
          keepsOpen.current = false;
        }}
        leftSection={<ZoneClock offset={offset} />}
        leftSectionWidth={70}
        w={208}
        allowDeselect={false}
        maxDropdownHeight={320}
        // The list must scroll with the arrow keys, which a scroll area around it would prevent.
        withScrollArea={false}
        classNames={{ options: s.zones ?? '', input: s.input ?? '' }}
        comboboxProps={{ width: 208, position: 'bottom-end' }}
      />
    </div>
  );
}

/** Marks the offset of the browser as local, because the zone can have another offset in winter. */
const labelOf = (minutes: number) => (minutes === browserOffset() ? `${zoneName(minutes)} (local)` : zoneName(minutes));

/** Shows the current time in the zone. Only this component re-renders each second. */
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
