import { z } from 'zod';
import { boundedText } from '../core/text.ts';

/** `in` and `not-in` accept a list; every other predicate exactly one argument (spec 5). */
export const predicates = ['is', 'is-not', 'in', 'not-in', 'before', 'after', 'contains', 'exists'] as const;
const listPredicates: readonly string[] = ['in', 'not-in'];

/** The objects of a filter and their fields. */
export const filterFields = {
  event: ['kind', 'as_of', 'words'],
  repository: ['fullName', 'id'],
  pull_request: ['number'],
  user: ['login', 'email', 'id'],
  /** Commits that changed the file; combined with a repository. */
  file: ['path'],
  /** Events whose sentence or details name the tool. */
  tool: ['id'],
  /** Equals the query qualifiers, with one value each; a SHA can be abbreviated. */
  branch: ['name'],
  sha: ['sha'],
  commit: ['sha'],
  data_source: ['id'],
  browser: ['name'],
  website: ['host'],
} as const satisfies Record<string, readonly string[]>;
const isField = (within: string, field: string): boolean =>
  Object.hasOwn(filterFields, within) &&
  (filterFields[within as keyof typeof filterFields] as readonly string[]).includes(field);

export const contextFilter = z
  .strictObject({
    within: z.enum(Object.keys(filterFields) as [keyof typeof filterFields, ...(keyof typeof filterFields)[]]),
    field: boundedText(40),
    predicate: z.enum(predicates),
    arguments: z.array(boundedText(500).min(1)).min(1).max(50),
  })
  .refine((filter) => isField(filter.within, filter.field), {
    error: 'is not a field that can be filtered',
    path: ['field'],
  })
  .refine((filter) => listPredicates.includes(filter.predicate) || filter.arguments.length === 1, {
    error: 'takes exactly one argument unless the predicate is in or not-in',
    path: ['arguments'],
  });
export type ContextFilter = z.infer<typeof contextFilter>;

export const context = z.object({ contextId: z.string(), filters: z.array(contextFilter) });
export type Context = z.infer<typeof context>;

/** Returns the filter for one value of a field. */
export const equalsFilter = (within: ContextFilter['within'], field: string, value: string): ContextFilter => ({
  within,
  field,
  predicate: 'is',
  arguments: [value],
});
