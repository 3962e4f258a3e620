import { createHash } from 'node:crypto';
import { z } from 'zod';
import { HostFailed, HostRefused } from '#providers/code-host.ts';
import type { HostPage } from '../host-facts.ts';
import type { DataCenterApi, DataCenterRequest } from './transport.ts';

const perPage = 100;
// Further items are omitted, such as the commits of a huge pull request.
const MAX_PAGES = 60;

const listed = z.object({
  values: z.array(z.unknown()),
  isLastPage: z.boolean().nullish(),
  nextPageStart: z.number().int().nullish(),
});

type Query = NonNullable<DataCenterRequest['query']>;

/** `isCut`: the instance has more items, but returns none of them. */
interface CutPage extends HostPage<unknown> {
  isCut: boolean;
}

/** Reads the items of up to `most` pages of a list, and whether they are all. */
export async function readAllItems(
  api: DataCenterApi,
  path: string,
  query: Query = {},
  most = MAX_PAGES,
): Promise<{ items: unknown[]; isWhole: boolean }> {
  const items: unknown[] = [];
  let page: string | null = null;
  for (let read = 0; read < most; read += 1) {
    const found: CutPage = await readPage(api, path, query, page);
    items.push(...found.items);
    page = found.next;
    if (page === null) return { items, isWhole: !found.isCut };
  }
  return { items, isWhole: false };
}

/** The same for a list in which a missing item would be mistaken for an absent one: throws if it is not whole. */
export async function readEveryItem(api: DataCenterApi, path: string, query: Query = {}): Promise<unknown[]> {
  const { items, isWhole } = await readAllItems(api, path, query, Number.POSITIVE_INFINITY);
  if (!isWhole) throw new HostRefused(404, 'The code host does not return all items of a list');
  return items;
}

/**
 * Reads one page of a list; null for the first. The name of a page contains a digest of the page before it. Throws
 * HostFailed if a page repeats the one before it, because another one would be missing.
 */
export async function readPage(api: DataCenterApi, path: string, query: Query, page: string | null): Promise<CutPage> {
  const [start = '0', before = ''] = page?.split(' ') ?? [];
  const { data } = await api.json(path, { query: { limit: perPage, ...query, start: Number(start) } });
  const { values: items, isLastPage, nextPageStart } = listed.parse(data);
  const digest = createHash('sha256').update(JSON.stringify(items)).digest('base64url').slice(0, 16);
  const isRepeated = items.length > 0 && digest === before;
  const hasNext = isLastPage === false && nextPageStart != null;
  if (isRepeated || (hasNext && nextPageStart <= Number(start)))
    throw new HostFailed('The code host repeated a page of a list');
  return {
    items,
    next: hasNext ? `${nextPageStart} ${digest}` : null,
    total: null,
    isCut: isLastPage === false && !hasNext,
  };
}
