import { formatPeriod } from '@sightline/contract/core/periods.ts';

/** 'Q3 2026', '2026-07', or its days. */
export function snapshotPeriodName(ends: { from: string; to: string }): string {
  const text = formatPeriod(ends);
  const quarter = /^(\d{4})-Q(\d)$/.exec(text);
  return quarter ? `Q${quarter[2]} ${quarter[1]}` : text.replace('..', ' to ');
}

/** '79.5 kB': the size of a bundle or of its files. */
export function formatFileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${value.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}
