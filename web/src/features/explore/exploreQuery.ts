import type { ContextFilter } from '@sightline/contract/contexts.ts';
import { eventKind } from '@sightline/contract/events.ts';
import { commaList, text } from '@sightline/contract/text.ts';
import { z } from 'zod';

/** What the address of Explore can ask for. */
export const exploreQuery = z.object({
  context: z.uuid().optional(),
  kind: commaList(eventKind),
  /** `owner/name`. */
  repo: commaList(text(400)),
  /** A login or an e-mail address. */
  actor: text(320).default(''),
  /** A number in the one repository that is chosen. */
  pr: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
  /** The id of a tool that the events name. */
  tool: text(250).default(''),
  /** Excluded things: `actor:…` and `repo:…`. */
  without: commaList(text(400)),
  /** Words that must all occur. */
  query: text(2048).default(''),
  /** Opens this event, with what happened around it. */
  event: z.uuid().optional(),
});
export type ExploreQuery = z.output<typeof exploreQuery>;

/** The filters of the address in the terms of the contract. */
export function filtersOf({ kind, repo, actor, pr, tool, without }: ExploreQuery): ContextFilter[] {
  return [
    ...(kind.length > 0 ? [filter('event', 'kind', 'in', kind)] : []),
    ...(repo.length > 0 ? [filter('repository', 'fullName', 'in', repo)] : []),
    ...(actor === '' ? [] : [filter('user', identityField(actor), 'is', [actor])]),
    // A number means nothing without its repository.
    ...(pr === undefined || repo.length !== 1 ? [] : [filter('pull_request', 'number', 'is', [String(pr)])]),
    ...(tool === '' ? [] : [filter('tool', 'id', 'is', [tool])]),
    ...without.flatMap((entry) => excluding(entry) ?? []),
  ];
}

/** Whether the reader has narrowed the timeline; a context is not theirs to clear with it. */
export const isFiltered = (query: ExploreQuery): boolean => query.query !== '' || filtersOf(query).length > 0;

/** The patch that takes every filter away. */
export const noFilters = {
  kind: [],
  repo: [],
  actor: '',
  pr: undefined,
  tool: '',
  without: [],
  query: '',
  event: undefined,
};

/** The filters in words, for when nothing matches them. */
export const filterWords = (
  { kind, repo, actor, pr, tool, without, query }: ExploreQuery,
  kindName: (kind: string) => string,
) => [
  ...kind.map(kindName),
  ...repo,
  ...(actor === '' ? [] : [actor]),
  ...(pr === undefined || repo.length !== 1 ? [] : [`#${pr}`]),
  ...(tool === '' ? [] : [`Tool: ${tool}`]),
  ...without.map((entry) => `Not ${excludedName(entry)}`),
  ...(query === '' ? [] : [`“${query}”`]),
];

/** The value of an entry of `without`. */
export const excludedName = (entry: string): string => entry.slice(entry.indexOf(':') + 1);

function excluding(entry: string): ContextFilter | undefined {
  const value = excludedName(entry);
  if (value === '') return undefined;
  if (entry.startsWith('actor:')) return filter('user', identityField(value), 'is-not', [value]);
  if (entry.startsWith('repo:')) return filter('repository', 'fullName', 'is-not', [value]);
  return undefined;
}

const identityField = (value: string) => (value.includes('@') ? 'email' : 'login');

const filter = (
  within: ContextFilter['within'],
  field: string,
  predicate: ContextFilter['predicate'],
  values: readonly string[],
): ContextFilter => ({ within, field, predicate, arguments: [...values] });
