import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { timestamp } from '../core/text.ts';
import { chartKinds, groupFields, MAX_GROUPS } from './event-charts.ts';
import { eventQueryParams, eventSample } from './explore.ts';

/** Maximum number of intervals of a group over time. */
export const groupBuckets = 60;

const count = z.number().int().min(0);
const period = z.object({ from: timestamp, to: timestamp, total: count });
/** The events with one value. Lists have one number per interval. */
const eventGroup = z.object({
  count,
  counts: z.array(count),
  /** The same in the previous period; null without comparison. */
  previous: z.object({ count, counts: z.array(count) }).nullable(),
});

const groupsQuestion = {
  ...eventQueryParams,
  by: z.enum(groupFields),
  /** The number of groups; the others are one group. */
  top: z.number().int().min(1).max(MAX_GROUPS).default(10),
  /** Also counts the period of the same length before the range of the query. */
  compare: z.boolean().default(false),
};

export const groupEvents = endpoint({
  method: 'POST',
  path: '/v2/events/explore/groups',
  summary: 'Returns the number of matching events by value of a field, over time, with the largest groups first.',
  scope: 'organization',
  permission: 'read:events',
  flag: 'release2',
  reads: true,
  body: z.strictObject(groupsQuestion),
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
    sample: eventSample,
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
    sample: eventSample,
  }),
  errors: ['not_found', 'query_invalid', 'query_too_complex', 'unavailable'],
});
export type WeekHours = z.output<typeof countWeekHours.response>;

export const exportEventChart = endpoint({
  method: 'POST',
  path: '/v2/events/explore/chart/export',
  summary: 'Exports the numbers of a chart as CSV: a row for each group, interval or hour.',
  scope: 'organization',
  permission: 'read:events',
  flag: 'release2',
  reads: true,
  body: z.strictObject({ ...groupsQuestion, kind: z.enum(chartKinds) }),
  response: z.null(),
  file: ['text/csv'],
  cost: 'export',
  errors: ['not_found', 'query_invalid', 'query_too_complex', 'unavailable'],
});
