import type { FrameworkDetails, FrameworkStatus } from '@sightline/contract/compliance/frameworks.ts';

export const frameworkHref = ({ id }: { id: string }): string => `/evidence/frameworks/${id}`;

/** The letter of each status in the heat map, so that it needs no color. */
export const statusMarks: Record<FrameworkStatus, string> = {
  passing: 'P',
  failing: 'F',
  missing_evidence: 'M',
  not_applicable: 'N',
  not_evaluated: '–',
};

/** 'Week from 5 Oct 2026', 'October 2026'. */
export function intervalLabel(start: string, { unit }: FrameworkDetails['intervals']): string {
  const at = Date.parse(`${start}T00:00:00Z`);
  return unit === 'month' ? month.format(at) : `Week from ${day.format(at)}`;
}

/** '5 Oct', 'Oct'. */
export function shortIntervalLabel(start: string, { unit }: FrameworkDetails['intervals']): string {
  const at = Date.parse(`${start}T00:00:00Z`);
  return unit === 'month' ? shortMonth.format(at) : shortDay.format(at);
}

const timeZone = 'UTC';
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone });
const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone });
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone });
const shortMonth = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone });
/** The due date as text. */
export const dueLabel = (dueOn: string): string => day.format(Date.parse(`${dueOn}T00:00:00Z`));
