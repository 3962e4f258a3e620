import type { Severity } from '@sightline/contract/core/severities.ts';
import type { Cadence } from '@sightline/contract/delivery/notifications.ts';

export const cadenceChoices: readonly { value: Cadence; label: string }[] = [
  { value: 'instant', label: 'Immediately, grouped per minute' },
  { value: 'hourly', label: 'Hourly' },
  { value: 'daily', label: 'Daily at 8 AM' },
  { value: 'weekly', label: 'Weekly, Monday at 8 AM' },
];

export const thresholdChoices: readonly { value: Severity; label: string }[] = [
  { value: 'critical', label: 'Critical only' },
  { value: 'high', label: 'High and above' },
  { value: 'medium', label: 'Medium and above' },
  { value: 'low', label: 'Low and above' },
  { value: 'info', label: 'All severities' },
];

/** The time zone of this browser. */
export const ownTimezone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** All time zone names. UTC is added because some browsers do not list it. */
export const timezones = (chosen: string): string[] =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen])].toSorted();
