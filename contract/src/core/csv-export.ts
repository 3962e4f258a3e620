import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

/** A list of an organization that can be exported, in pages or whole. */
export type ExportableList = Endpoint & {
  method: 'GET';
  scope: 'organization';
  paged?: true;
  query: z.ZodObject;
  response: z.ZodArray;
};

type QueryOfExport<E extends ExportableList> =
  E['query'] extends z.ZodObject<infer Shape> ? z.ZodObject<Omit<Shape, 'page' | 'perPage'>> : never;

/** The endpoint that exports a list: with its access, its parameters and its query without the page. */
export type CsvExport<E extends ExportableList> = Pick<
  E,
  Extract<keyof E, 'method' | 'scope' | 'permission' | 'flag' | 'reads' | 'params' | 'errors'>
> & {
  path: string;
  summary: string;
  query: QueryOfExport<E>;
  response: z.ZodString;
  file: readonly ['text/csv'];
  cost: 'export';
};

/**
 * Declares the export of all matching rows of a list as CSV, for everyone who may read the list.
 *
 * @__NO_SIDE_EFFECTS__
 */
export function csvExportOf<E extends ExportableList>(list: E): CsvExport<E> {
  const { topics: _topics, paged: _paged, ...access } = list;
  return {
    ...access,
    path: `${list.path}/export`,
    summary: `Exports all matching rows as CSV, and records the export in the audit log. ${list.summary}`,
    query: isPaged(list.query) ? list.query.omit({ page: true, perPage: true }) : list.query,
    response: z.string(),
    file: ['text/csv'],
    cost: 'export',
  } as unknown as CsvExport<E>;
}

const isPaged = (query: z.ZodObject): query is z.ZodObject<{ page: z.ZodType; perPage: z.ZodType }> =>
  'page' in query.shape;
