import { Button, Popover, TextInput, UnstyledButton } from '@mantine/core';
import { IconCalendar, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import s from './Audit.module.css';
import { auditRanges, dateFieldValueOf, dateText, rangeStartOf, timeOfDateField } from './dates.ts';

interface DateRangeProps {
  from: string | undefined;
  to: string | undefined;
  onChange: (range: { from: string | undefined; to: string | undefined }) => void;
}

/** Selects a range up to now, or between two inclusive days, in the time zone of the browser. */
export function DateRange({ from, to, onChange }: DateRangeProps) {
  const [opened, setOpened] = useState(false);
  const chosen = from !== undefined || to !== undefined;
  const choose = (range: { from: string | undefined; to: string | undefined }) => {
    setOpened(false);
    onChange(range);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={256} trapFocus returnFocus>
      <span className={s.chip} data-quiet={!chosen || undefined}>
        <Popover.Target>
          <UnstyledButton className={s.chipButton ?? ''} onClick={() => setOpened(!opened)}>
            <IconCalendar size={14} aria-hidden />
            {chosen ? <b>{wordsOf(from, to)}</b> : 'Any time'}
          </UnstyledButton>
        </Popover.Target>
        {chosen && (
          <UnstyledButton
            className={s.chipClear ?? ''}
            aria-label="Clear the time"
            onClick={() => choose({ from: undefined, to: undefined })}
          >
            <IconX size={13} aria-hidden />
          </UnstyledButton>
        )}
      </span>
      <Popover.Dropdown aria-label="Time">
        <div className={s.ranges}>
          {auditRanges.map((range) => (
            <Button
              key={range.label}
              variant="subtle"
              justify="flex-start"
              onClick={() => choose({ from: rangeStartOf(range, new Date()), to: undefined })}
            >
              {range.label}
            </Button>
          ))}
          <div className={s.days}>
            <TextInput
              type="date"
              label="From"
              value={dateFieldValueOf(from, 'begin')}
              max={dateFieldValueOf(to, 'end') || undefined}
              onChange={({ currentTarget }) => onChange({ from: timeOfDateField(currentTarget.value, 'begin'), to })}
            />
            <TextInput
              type="date"
              label="To"
              value={dateFieldValueOf(to, 'end')}
              min={dateFieldValueOf(from, 'begin') || undefined}
              onChange={({ currentTarget }) => onChange({ from, to: timeOfDateField(currentTarget.value, 'end') })}
            />
          </div>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function wordsOf(from: string | undefined, to: string | undefined): string {
  if (from !== undefined && to !== undefined) return `${dateText(from)} – ${dateText(to, 'last day')}`;
  return from !== undefined ? `Since ${dateText(from)}` : `Until ${dateText(to ?? '', 'last day')}`;
}
