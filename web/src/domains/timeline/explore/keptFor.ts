import type { ExploreAnswer } from '@sightline/contract/timeline/events.ts';

/** How long events are kept, as a sentence. */
export function keptFor({ months, clipboardDays }: ExploreAnswer['kept']): string {
  const most = months % 12 === 0 ? counted(months / 12, 'year') : counted(months, 'month');
  // A month has 28 days at least: only what is clearly shorter is worth a word.
  const copies = clipboardDays < months * 28 ? `, clipboard events for ${counted(clipboardDays, 'day')}` : '';
  return `Retention: commits and pull requests unlimited, other events ${most}${copies}.`;
}

const counted = (count: number, unit: string) => `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;
