import { z } from 'zod';
import type { Key } from './query-language/keys.ts';

/** The fields that events can be grouped by: qualifiers with a manageable number of values. */
export const groupFields = [
  'kind',
  'repo',
  'actor',
  'source',
  'branch',
  'status',
  'review',
  'agent',
  'model',
  'ai',
  'tool',
  'vendor',
  'site',
  'browser',
  'severity',
  'category',
  'rule',
  'cwe',
  'lang',
  'ext',
] as const satisfies readonly Key[];
export type GroupField = (typeof groupFields)[number];

export const MAX_GROUPS = 20;
export const chartKinds = ['bars', 'lines', 'hours'] as const;
export type ChartKind = (typeof chartKinds)[number];

/** A chart of events: totals or lines over time of the largest groups, or hours of the week, which have no groups. */
export const eventChart = z.strictObject({
  kind: z.enum(chartKinds),
  by: z.enum(groupFields),
  top: z.number().int().min(1).max(MAX_GROUPS),
  compare: z.boolean(),
});
export type EventChart = z.infer<typeof eventChart>;
