import { type AuditFilters, listAudit } from '@sightline/contract/organization/audit.ts';
import { auditActionLabel, auditSubjects } from '@sightline/contract/organization/audit-actions.ts';
import { z } from 'zod';
import { dateText } from './dates.ts';

/** The address: the query, and the expanded entry. */
export const auditQuery = listAudit.query.extend({ entry: z.uuid().optional() });
export type AuditPageQuery = z.output<typeof auditQuery>;

/** Clears every filter. */
export const clearedAuditFilters = {
  search: '',
  action: [],
  actor: [],
  subjectKind: [],
  subject: '',
  from: undefined,
  to: undefined,
} satisfies Partial<AuditPageQuery>;

/** Returns to the newest entries, with none expanded. Applied to every change of a filter. */
export function firstPagePatch({ older, newer, entry }: AuditPageQuery): Partial<AuditPageQuery> {
  // Only fields that are set: a change of the search text alone replaces the history entry, others add one.
  return {
    ...(older !== undefined && { older: undefined }),
    ...(newer !== undefined && { newer: undefined }),
    ...(entry !== undefined && { entry: undefined }),
  };
}

/** Describes the filters in words, for the empty state. */
export function auditFilterTexts(query: AuditPageQuery, filters: AuditFilters | undefined): string[] {
  const named = (name: string, values: readonly string[], choices: readonly { value: string; label: string }[] = []) =>
    values.map((value) => `${name}: ${choices.find((choice) => choice.value === value)?.label ?? value}`);
  return [
    ...named('Actor', query.actor, filters?.actors),
    ...query.action.map((action) => `Action: ${auditActionLabel(action)}`),
    ...named('Target', query.subjectKind, filters?.subjectKinds),
    ...(query.subject === '' ? [] : [`About: ${subjectWords(query.subject)}`]),
    ...(query.from === undefined ? [] : [`From ${dateText(query.from)}`]),
    ...(query.to === undefined ? [] : [`Until ${dateText(query.to, 'last day')}`]),
    ...(query.search === '' ? [] : [`“${query.search}”`]),
  ];
}

/** 'repository:0192…' as 'one repository', because the entries show its name. */
export const subjectWords = (subject: string): string => {
  const kind = subject.slice(0, subject.indexOf(':'));
  const label = (auditSubjects as Record<string, string>)[kind] ?? kind;
  return `one ${label.toLowerCase()}`;
};
