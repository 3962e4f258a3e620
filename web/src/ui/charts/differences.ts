/** The change from a previous count: '+12%', '−5%', '±0%'. Without previous events: 'new'. */
export function differenceText(count: number, previous: number): string {
  if (previous === 0) return count === 0 ? '±0%' : 'new';
  const percent = Math.round(((count - previous) / previous) * 100);
  if (percent === 0) return '±0%';
  return `${percent > 0 ? '+' : '−'}${number.format(Math.abs(percent))}%`;
}

/** '1,204', or '≈ 1,204' for an estimate. */
export const countText = (count: number, isEstimate: boolean): string =>
  `${isEstimate ? '≈ ' : ''}${number.format(count)}`;

/** What the numbers of a sample are estimated from; `share` of the time, from 0 to 1. */
export const sampleText = ({ events, share }: { events: number; share: number }): string =>
  `estimated from ${number.format(events)} events in ${share < 0.01 ? 'less than 1%' : `${Math.round(share * 100)}%`} of the time. Narrow the query for exact numbers.`;

/** '22:00–23:00'. */
export const hourText = (hour: number): string => `${twoDigits(hour)}:00–${twoDigits((hour + 1) % 24)}:00`;
const twoDigits = (value: number) => String(value).padStart(2, '0');

const number = new Intl.NumberFormat('en-GB');
