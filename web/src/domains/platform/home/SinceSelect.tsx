import { NativeSelect } from '@mantine/core';
import { type ActivityStart, activityStarts } from './activityStarts.ts';

interface SinceSelectProps {
  value: ActivityStart;
  onChange: (start: ActivityStart) => void;
  /** False on a first visit, which has no previous one. */
  hasVisit: boolean;
}

/** Selects the time from which activity is counted. */
export function SinceSelect({ value, onChange, hasVisit }: SinceSelectProps) {
  const starts = (Object.keys(activityStarts) as ActivityStart[]).filter((start) => hasVisit || start !== 'visit');
  return (
    <NativeSelect
      size="xs"
      aria-label="Time range"
      data={starts.map((start) => ({ value: start, label: activityStarts[start].label }))}
      value={hasVisit || value !== 'visit' ? value : 'week'}
      onChange={(event) => onChange(event.currentTarget.value as ActivityStart)}
    />
  );
}
