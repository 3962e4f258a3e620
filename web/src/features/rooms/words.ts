import { periodText } from '@sightline/contract/periods.ts';
import type { RoomState } from '@sightline/contract/rooms.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

export const roomsPath = '/evidence/rooms';
export const roomHref = ({ id }: { id: string }): string => `${roomsPath}/${id}`;

export const stateLooks: Record<RoomState, readonly [Tone, string]> = {
  open: ['green', 'Open'],
  closed: ['gray', 'Closed'],
  revoked: ['red', 'Revoked'],
};

/** 'Q3 2026', '2026-07', or its days. */
export function periodName(ends: { from: string; to: string }): string {
  const text = periodText(ends);
  const quarter = /^(\d{4})-Q(\d)$/.exec(text);
  return quarter ? `Q${quarter[2]} ${quarter[1]}` : text.replace('..', ' to ');
}

export function sizeName(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${value.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
/** '21 Nov 2026, 10:24 UTC': auditors and owners may sit in different zones. */
export const momentName = (at: string): string => `${moment.format(Date.parse(at))} UTC`;
