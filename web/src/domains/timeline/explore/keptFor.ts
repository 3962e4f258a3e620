import type { ExploreResponse } from '@sightline/contract/timeline/events.ts';

/** Describes the retention of events in a sentence. */
export function retentionText({ months, clipboardDays }: ExploreResponse['kept']): string {
  const retention = months % 12 === 0 ? counted(months / 12, 'year') : counted(months, 'month');
  // A month has at least 28 days. Only a clearly shorter retention is mentioned.
  const copies = clipboardDays < months * 28 ? `, clipboard events for ${counted(clipboardDays, 'day')}` : '';
  return `Retention: commits and pull requests unlimited, other events ${retention}${copies}.`;
}

const counted = (count: number, unit: string) => `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;
