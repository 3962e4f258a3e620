import { Select } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import s from './Explore.module.css';
import { offsets, zoneName } from './zone.ts';

const zones = offsets.map((offset) => ({ value: String(offset), label: zoneName(offset) }));

/** The timezone badge: 25 offsets (spec 2.6). */
export const ZoneSelect = ({ offset, onChange }: { offset: number; onChange: (offset: number) => void }) => (
  <Select
    aria-label="Timezone"
    data={zones}
    value={String(offset)}
    onChange={(value) => value !== null && onChange(Number(value))}
    leftSection={<IconClock size={15} aria-hidden />}
    w={136}
    allowDeselect={false}
    maxDropdownHeight={320}
    // The list scrolls with the arrow keys: a scroll area around it could not be reached by any.
    withScrollArea={false}
    classNames={{ options: s.zones ?? '' }}
  />
);
