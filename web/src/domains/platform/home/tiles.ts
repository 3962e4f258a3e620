import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import type { Permission } from '@sightline/contract/core/permissions.ts';
import { type UseQueryOptions, useQueries } from '@tanstack/react-query';
import type { z } from 'zod';
import { endpointQuery } from '#lib/api.ts';
import { useFlag } from '#lib/flags.ts';
import { stringifySearch } from '#lib/search-params.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { patchSearch } from '#lib/url-query.ts';

/** How many rows a list has; `isAtLeast`: it has more than were counted. */
export interface TileCount {
  count: number;
  isAtLeast?: boolean;
}

/** The number of rows of a list, with a link to that list. */
export interface HomeTile {
  /** The label in singular and plural: 'waiver to decide', 'waivers to decide'. */
  nouns: readonly [string, string];
  /** The list that is counted, with the same query as `source`. */
  href: string;
  permission: Permission;
  /** The tile is hidden while this flag is off. */
  flag?: 'vulnerabilities' | undefined;
  /** Whether a row needs action before others. */
  isUrgent?: boolean;
  source: UseQueryOptions<unknown, Error, TileCount>;
}

type PagedEndpoint = Endpoint & { paged: true; query: z.ZodObject };

interface ListTileOptions<E extends PagedEndpoint> extends Omit<HomeTile, 'href' | 'source' | 'permission' | 'flag'> {
  endpoint: E & { permission: Permission; flag?: 'vulnerabilities' };
  /** The filters of the list; also the query of the link. */
  query: Partial<z.output<E['query']>>;
  /** The path of the page that shows the list. */
  page: string;
}

/** A tile of a paged list: requests the list itself, so that the number is always the one the page shows. */
export const listTile = <E extends PagedEndpoint>({
  endpoint,
  query,
  page,
  ...tile
}: ListTileOptions<E>): HomeTile => ({
  ...tile,
  permission: endpoint.permission,
  flag: endpoint.flag,
  href: `${page}${stringifySearch(patchSearch(endpoint.query, {}, query))}`,
  source: tileSource(
    endpointQuery(endpoint as PagedEndpoint, { query: { ...query, perPage: 1 } } as never),
    (response: { total: number }) => ({ count: response.total }),
  ),
});

/** A count that is derived from a response. */
export const tileSource = <Response>(query: object, countOf: (response: Response) => TileCount): HomeTile['source'] =>
  ({ ...query, select: countOf, staleTime: 60_000, meta: { quiet: true } }) as never;

export interface CountedTile extends HomeTile {
  /** undefined while it is loading, and after a failure. */
  counted: TileCount | undefined;
}

/** Counts the tiles that the member may see. */
export function useTiles(tiles: readonly HomeTile[]): {
  tiles: CountedTile[];
  isLoading: boolean;
  /** Whether a count could not be loaded. */
  isFailed: boolean;
  retry: () => void;
} {
  const session = useSession();
  const showsVulnerabilities = useFlag('vulnerabilities');
  const visible = tiles.filter(
    ({ permission, flag }) =>
      hasPermission(session, permission) && (flag !== 'vulnerabilities' || showsVulnerabilities),
  );
  const results = useQueries({ queries: visible.map(({ source }) => source) });
  return {
    tiles: visible.map((tile, index) => ({ ...tile, counted: results[index]?.data })),
    isLoading: results.some(({ isPending }) => isPending),
    isFailed: results.some(({ error, data }) => data === undefined && error !== null),
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch();
    },
  };
}

/** 'waiver to decide' or 'waivers to decide', without the number. */
export const nounOf = ({ nouns, counted }: Pick<CountedTile, 'nouns' | 'counted'>): string =>
  counted?.count === 1 && !counted.isAtLeast ? nouns[0] : nouns[1];

export const countText = ({ count, isAtLeast }: TileCount): string => `${number.format(count)}${isAtLeast ? '+' : ''}`;

const number = new Intl.NumberFormat('en-GB');
