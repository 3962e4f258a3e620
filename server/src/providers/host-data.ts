import { z } from 'zod';
import type { HostPage } from './host-facts.ts';
import { hostFailureReason } from './host-failure.ts';

/** Makes all texts of a response storable in place: well-formed Unicode without NUL. */
export function toStorable(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.isWellFormed() && !value.includes('\0') ? value : value.replaceAll('\0', '\ufffd').toWellFormed();
  }
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      if (typeof item === 'string' || typeof item === 'object') value[index] = toStorable(item);
    });
    return value;
  }
  // Binary data remains unchanged.
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return value;
  const record = value as Record<string, unknown>;
  for (const [key, item] of Object.entries(record)) {
    if (typeof item === 'string' || typeof item === 'object') record[key] = toStorable(item);
  }
  return record;
}

const maxInteger = 2_147_483_647;

/** A count of lines, files or commits. */
export const hostCount = z.number().transform((value) => Math.min(Math.max(Math.trunc(value), 0), maxInteger));

/** The number of a pull request or an issue. */
export const hostNumber = z.number().int().positive().max(maxInteger);

const [earliest, latest] = [Date.UTC(1970, 0, 1), Date.UTC(9999, 11, 31)];
// Times after the year 9999 have no portable format: only the year is read.
const farYear = /^\s*([+-]?)(\d{4,6})-/;

/** Converts RFC 3339 with any offset to UTC. Clamps times out of range, because git accepts any number. */
export const hostTime = z
  .string()
  .transform((value, context) => {
    const parsed = Date.parse(value);
    if (!Number.isNaN(parsed)) return parsed;
    const [, sign, year] = farYear.exec(value) ?? [];
    if (year !== undefined && Number(year) > 9999) return sign === '-' ? earliest : latest;
    context.addIssue({ code: 'custom', message: 'must be a time' });
    return z.NEVER;
  })
  .transform((time) => new Date(Math.min(Math.max(time, earliest), latest)).toISOString());

/** Parses the items of a page separately. Invalid items are returned by name in `unreadable`. */
export function readItems<Item>(
  found: readonly unknown[],
  from: (json: unknown) => Item,
  nameOf: (json: Readonly<Record<string, unknown>>) => unknown,
): Pick<HostPage<Item>, 'items' | 'unreadable'> {
  const items: Item[] = [];
  const unreadable: { item: string; reason: string }[] = [];
  for (const json of found) {
    try {
      items.push(from(json));
    } catch (error) {
      const name = typeof json === 'object' && json !== null ? nameOf(json as Record<string, unknown>) : undefined;
      if (!(error instanceof z.ZodError) || (typeof name !== 'string' && typeof name !== 'number')) throw error;
      unreadable.push({ item: String(name).slice(0, 100), reason: hostFailureReason(error) ?? '' });
    }
  }
  return { items, ...(unreadable.length > 0 && { unreadable }) };
}
