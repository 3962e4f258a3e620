import { Select } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { controlPeriodChoices } from './periods.ts';

/** Selects the quarter, month or year. */
export const PeriodPicker = ({ period, onChange }: { period: string; onChange: (period: string) => void }) => (
  <Select
    aria-label="Period"
    w={176}
    data={controlPeriodChoices(new Date(), period)}
    value={period}
    allowDeselect={false}
    leftSection={<IconCalendar size={15} stroke={1.6} aria-hidden />}
    onChange={(next) => next !== null && onChange(next)}
  />
);
