import { Select } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
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
  />
);
