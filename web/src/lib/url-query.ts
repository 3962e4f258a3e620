import { pageSizes } from '@sightline/contract/core/paging.ts';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { z } from 'zod';
import { parseSearch, type Search, stringifySearch } from './search-params.ts';

/**
 * The state of a list in the URL, parsed by the contract's query schema. `setQuery` resets to page 1 unless it sets a
 * page, replaces the history entry while typing, and omits defaults from the URL.
 */
export function useUrlQuery<S extends z.ZodObject>(
  schema: S,
): readonly [z.output<S>, (patch: Partial<z.output<S>>) => void] {
  const router = useRouter();
  const searchStr = useLocation({ select: (location) => location.searchStr });
  const query = useMemo(() => readQuery(schema, parseSearch(searchStr)), [schema, searchStr]);
  const setQuery = useCallback(
    (patch: Partial<z.output<S>>) => {
      // From the router, not from this render: two changes in one event must not overwrite each other.
      const { pathname, searchStr: latest } = router.latestLocation;
      const href = `${pathname}${stringifySearch(patchSearch(schema, parseSearch(latest), patch))}`;
      void router.navigate({ href, replace: isTyped(patch), resetScroll: false });
    },
    [router, schema],
  );
  return [query, setQuery];
}

/** Parses a query by a schema. Invalid values fall back to their defaults, in a list item by item. Never throws. */
export function readQuery<S extends z.ZodObject>(schema: S, search: Search): z.output<S> {
  const read = Object.entries(fieldsOf(schema)).map(([name, field]) => [name, readField(name, field, search[name])]);
  return Object.fromEntries(read) as z.output<S>;
}

/** The query after a change; fields unknown to the schema are unchanged. */
export function patchSearch<S extends z.ZodObject>(schema: S, search: Search, patch: Partial<z.output<S>>): Search {
  const next: Search = { ...search };
  for (const [name, value] of Object.entries({ page: 1, ...patch })) {
    const field = fieldsOf(schema)[name];
    const text = value === undefined ? '' : String(value);
    if (!field || text === String(field.safeParse(undefined).data ?? '')) delete next[name];
    else next[name] = text;
  }
  return next;
}

/** Whether a filter is set other than page, size, order, ledger size and the fields in `view`. */
export const hasFilters = (schema: z.ZodObject, query: object, view: readonly string[] = []): boolean =>
  Object.entries(clearedFilters(schema, view)).some(
    ([name, fallback]) => String((query as Search)[name] ?? '') !== String(fallback ?? ''),
  );

/** The patch that resets all filters; keeps size, order, ledger size and the fields in `view`. */
export const clearedFilters = (schema: z.ZodObject, view: readonly string[] = []): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fieldsOf(schema))
      .filter(([name]) => !['page', 'perPage', 'sort', 'ledgerSize', ...view].includes(name))
      .map(([name, field]) => [name, field.safeParse(undefined).data]),
  );

const typed = new Set(['search', 'query']);
const isTyped = (patch: object): boolean => {
  const names = Object.keys(patch);
  return names.length > 0 && names.every((name) => typed.has(name));
};

const fieldsOf = (schema: z.ZodObject): Record<string, z.ZodType> => schema.shape as Record<string, z.ZodType>;

function readField(name: string, field: z.ZodType, given: string | undefined): unknown {
  const fallback = field.safeParse(undefined).data;
  if (given === undefined) return fallback;
  const read = field.safeParse(given);
  // The API accepts more sizes than a screen offers (spec 9).
  if (name === 'perPage') return pageSizes.some((size) => size === read.data) ? read.data : fallback;
  if (read.success) return read.data;
  const fitting = given.split(',').filter((item) => field.safeParse(item).success);
  return fitting.length > 0 && Array.isArray(fallback)
    ? (field.safeParse(fitting.join(',')).data ?? fallback)
    : fallback;
}
