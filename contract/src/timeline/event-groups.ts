import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { timestamp } from '../core/text.ts';
import { groupFields, MAX_GROUPS } from './event-charts.ts';
import { eventQueryParams } from './explore.ts';

/** Maximum number of intervals of a group over time. */
export const groupBuckets = 60;

const count = z.number().int().min(0);
const period = z.object({ from: timestamp, to: timestamp, total: count });
/**
 * Set if numbers are estimates, because the query matches too many events to count all. `events` were counted, in parts
 * that cover this share of the range, from 0 to 1, evenly.
 */
const sample = z.object({ events: count, share: z.number().positive().max(1) }).nullable();

/** The events with one value. Lists have one number per interval. */
const eventGroup = z.object({
  count,
  counts: z.array(count),
  /** The same in the previous period; null without comparison. */
  previous: z.object({ count, counts: z.array(count) }).nullable(),
});

export const groupEvents = endpoint({
  method: 'POST',
  path: '/v2/events/explore/groups',
  summary: 'Returns the number of matching events by value of a field, over time, with the largest groups first.',
  scope: 'organization',
  permission: 'read:events',
  flag: 'release2',
  reads: true,
  body: z.strictObject({
    ...eventQueryParams,
    by: z.enum(groupFields),
    /** The number of groups; the others are one group. */
    top: z.number().int().min(1).max(MAX_GROUPS).default(10),
    /** Also counts the period of the same length before the range of the query. */
    compare: z.boolean().default(false),
  }),
  response: z.object({
    from: timestamp,
    to: timestamp,
    /** Start of the first interval, and length of each in seconds. The last one may end after `to`. */
    start: timestamp,
    interval: z.number().int(),
    /** Each event once. An event can be in several groups, if the field can have several values. */
    total: count,
    groups: z.array(
      eventGroup.extend({
        /** The value in the query language; null if no query finds it, such as a person without a login. */
        value: z.string().nullable(),
        label: z.string(),
      }),
    ),
    /** The values beyond the largest groups; `values` is null if their number is unknown. */
    other: eventGroup.extend({ values: count.nullable() }),
    /** Events without a value. */
    without: eventGroup,
    /** Null if not requested, or if the query has no single start. */
    previous: period.nullable(),
    sample,
  }),
  errors: ['not_found', 'query_invalid', 'query_too_complex', 'unavailable'],
});
export type EventGroups = z.output<typeof groupEvents.response>;

export const countWeekHours = endpoint({
  method: 'POST',
  path: '/v2/events/explore/week-hours',
  summary: 'Returns the number of matching events by weekday and hour of the day.',
  scope: 'organization',
  permission: 'read:events',
  flag: 'release2',
  reads: true,
  body: z.strictObject({ ...eventQueryParams, compare: z.boolean().default(false) }),
  response: z.object({
    ...period.shape,
    /** The 168 hours from Monday, 00:00, in the time zone of the request. */
    hours: z.array(count).length(168),
    previous: period.extend({ hours: z.array(count).length(168) }).nullable(),
    sample,
  }),
  errors: ['not_found', 'query_invalid', 'query_too_complex', 'unavailable'],
});
export type WeekHours = z.output<typeof countWeekHours.response>;
