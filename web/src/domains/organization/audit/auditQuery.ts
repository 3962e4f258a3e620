import { type AuditFilters, listAudit } from '@sightline/contract/organization/audit.ts';
import { auditSubjects, labelOfAction } from '@sightline/contract/organization/audit-actions.ts';
import { z } from 'zod';
import { dateOf } from './dates.ts';

/** What the address holds: the question, and the entry that is open. */
export const auditQuery = listAudit.query.extend({ entry: z.uuid().optional() });
export type PageQuery = z.output<typeof auditQuery>;

/** Every filter taken back. */
export const noFilters = {
  search: '',
  action: [],
  actor: [],
  subjectKind: [],
  subject: '',
  from: undefined,
  to: undefined,
} satisfies Partial<PageQuery>;

/** Back to the newest entries, with nothing open: for every change of a filter. */
export function fromTheTop({ older, newer, entry }: PageQuery): Partial<PageQuery> {
  // Only what is set: typing alone replaces the place in the history, everything else adds one.
  return {
    ...(older !== undefined && { older: undefined }),
    ...(newer !== undefined && { newer: undefined }),
    ...(entry !== undefined && { entry: undefined }),
  };
}

/** The filters in words, for whoever wonders why nothing is there. */
export function wordsOf(query: PageQuery, filters: AuditFilters | undefined): string[] {
  const named = (name: string, values: readonly string[], choices: readonly { value: string; label: string }[] = []) =>
    values.map((value) => `${name}: ${choices.find((choice) => choice.value === value)?.label ?? value}`);
  return [
    ...named('Actor', query.actor, filters?.actors),
    ...query.action.map((action) => `Action: ${labelOfAction(action)}`),
    ...named('Target', query.subjectKind, filters?.subjectKinds),
    ...(query.subject === '' ? [] : [`About: ${subjectWords(query.subject)}`]),
    ...(query.from === undefined ? [] : [`From ${dateOf(query.from)}`]),
    ...(query.to === undefined ? [] : [`Until ${dateOf(query.to, 'last day')}`]),
    ...(query.search === '' ? [] : [`“${query.search}”`]),
  ];
}

/** 'repository:0192…' as 'this repository': the entries below name it. */
export const subjectWords = (subject: string): string => {
  const kind = subject.slice(0, subject.indexOf(':'));
  const label = (auditSubjects as Record<string, string>)[kind] ?? kind;
  return `one ${label.toLowerCase()}`;
};
