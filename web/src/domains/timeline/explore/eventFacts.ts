import type { Event, Parameter } from '@sightline/contract/timeline/events.ts';
import { z } from 'zod';
import { type Level, levelNames, severityLevels } from '#ui/severities.ts';

export type Labelled = NonNullable<Event['detail']>['parameters'][number];

/** Splits the parameters into counts by severity (spec 3) and others. */
export function splitSeverityCounts(parameters: readonly Labelled[]): {
  counts: Partial<Record<Level, number>> | undefined;
  others: readonly Labelled[];
} {
  const counts: Partial<Record<Level, number>> = {};
  const others = parameters.filter(({ label, parameter }) => {
    const level = severityLevels.find((one) => levelNames[one] === label);
    if (level === undefined || parameter.kind !== 'number') return true;
    counts[level] = Number(parameter.ident);
    return false;
  });
  return { counts: others.length === parameters.length ? undefined : counts, others };
}

/** Returns the counts of the two highest severities in a sentence; undefined for most events. */
export function highestSeveritiesIn({ parameters }: Event['summary']): Partial<Record<Level, number>> | undefined {
  for (const { data } of parameters) {
    if (data?.severities === undefined) continue;
    const parsed = severityCounts.safeParse(data.severities);
    if (!parsed.success) continue;
    const worst = severityLevels.filter((level) => (parsed.data[level] ?? 0) > 0).slice(0, 2);
    return worst.length === 0 ? undefined : Object.fromEntries(worst.map((level) => [level, parsed.data[level]]));
  }
  return undefined;
}

const severityCounts = z.partialRecord(z.enum(severityLevels), z.number());

export const isLong = ({ kind, display }: Parameter): boolean =>
  kind === 'text' && (display.length > 60 || display.includes('\n'));
export const isInstant = ({ ident }: Parameter): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(ident);
