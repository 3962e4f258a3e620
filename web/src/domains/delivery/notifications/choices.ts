import type { Severity } from '@sightline/contract/core/severities.ts';
import type { Cadence } from '@sightline/contract/delivery/notifications.ts';

export const cadenceChoices: readonly { value: Cadence; label: string }[] = [
  { value: 'instant', label: 'At once, gathered for a minute' },
  { value: 'hourly', label: 'Every hour' },
  { value: 'daily', label: 'Every day at 8 in the morning' },
  { value: 'weekly', label: 'Every Monday at 8 in the morning' },
];

export const thresholdChoices: readonly { value: Severity; label: string }[] = [
  { value: 'critical', label: 'Critical only' },
  { value: 'high', label: 'High and worse' },
  { value: 'medium', label: 'Medium and worse' },
  { value: 'low', label: 'Low and worse' },
  { value: 'info', label: 'All of them' },
];

/** Where this browser is. */
export const ownTimezone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** Every time zone by its name; UTC is missing from some browsers' own list. */
export const timezones = (chosen: string): string[] =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen])].toSorted();
