import { createHash } from 'node:crypto';
import { z } from 'zod';
import { HostFailed } from '#providers/code-host.ts';
import type { HostPage } from '../host-facts.ts';
import type { GiteaApi, GiteaRequest } from './transport.ts';

// The default maximum of instances (MAX_RESPONSE_ITEMS). An instance may return fewer.
const perPage = 50;
// Further items are omitted, such as the commits of a huge pull request.
const MAX_PAGES = 60;

const list = z.array(z.unknown());
const wrapped = z.object({ ok: z.boolean(), data: list.nullish() });

type Query = NonNullable<GiteaRequest['query']>;

/** Reads the items of up to `most` pages of a list, and whether they are all. */
export async function readAllItems(
  api: GiteaApi,
  path: string,
  query: Query = {},
  most = MAX_PAGES,
): Promise<{ items: unknown[]; isWhole: boolean }> {
  const items: unknown[] = [];
  let page: string | null = null;
  for (let read = 0; read < most; read += 1) {
    const found: HostPage<unknown> = await readPage(api, path, query, page);
    items.push(...found.items);
    page = found.next;
    if (page === null) return { items, isWhole: true };
  }
  return { items, isWhole: false };
}

/** The same for a list in which a missing item would be mistaken for an absent one: it is read to its end. */
export const readEveryItem = async (api: GiteaApi, path: string, query: Query = {}): Promise<unknown[]> =>
  (await readAllItems(api, path, query, Number.POSITIVE_INFINITY)).items;

/**
 * Reads one page of a list; null for the first. The name of a page contains a digest of the page before it. Throws
 * HostFailed if a page repeats the one before it, because another one would be missing.
 */
export async function readPage(
  api: GiteaApi,
  path: string,
  query: Query,
  page: string | null,
): Promise<HostPage<unknown>> {
  const [number = '1', before = ''] = page?.split(' ') ?? [];
  const { data, headers } = await api.json(path, { query: { ...query, limit: perPage, page: Number(number) } });
  // A search has its items in a wrapper.
  const search = wrapped.safeParse(data);
  const items = list.parse((search.success ? search.data.data : data) ?? []);
  const digest = createHash('sha256').update(JSON.stringify(items)).digest('base64url').slice(0, 16);
  if (items.length > 0 && digest === before) throw new HostFailed('The code host repeated a page of a list');
  const total = Number(headers.get('x-total-count') || Number.NaN);
  const hasNext = /;\s*rel="next"/.test(headers.get('link') ?? '');
  return {
    items,
    next: hasNext && items.length > 0 ? `${Number(number) + 1} ${digest}` : null,
    total: page === null && Number.isInteger(total) ? total : null,
  };
}
