import { z } from 'zod';
import type { HostPage } from '../host-facts.ts';
import type { GitlabAnswer, GitlabApi } from './transport.ts';

const perPage = 100;
// Further items are omitted, such as the files of large commits.
const MAX_PAGES = 30;

const list = z.array(z.unknown());

/** Reads the items of up to `most` pages of a list. */
export async function readAllItems(
  ask: GitlabApi,
  path: string,
  query: Record<string, string | number | boolean> = {},
  most = MAX_PAGES,
): Promise<unknown[]> {
  const items: unknown[] = [];
  for (let page: string | null = null, read = 0; read < most; read += 1) {
    const found: HostPage<unknown> = await readPage(ask, path, query, page);
    items.push(...found.items);
    page = found.next;
    if (page === null) break;
  }
  return items;
}

/** Reads one page of a list; null for the first. */
export async function readPage(
  ask: GitlabApi,
  path: string,
  query: Record<string, string | number | boolean>,
  page: string | null,
): Promise<HostPage<unknown>> {
  const { data, headers } = await ask(path, { query: { ...query, per_page: perPage, page: page ?? 1 } });
  const total = Number(headers.get('x-total') || Number.NaN);
  return {
    items: list.parse(data),
    next: nextOf(headers),
    total: page === null && Number.isInteger(total) ? total : null,
  };
}

// Some proxies remove one of the two headers.
function nextOf(headers: GitlabAnswer['headers']): string | null {
  const next = headers.get('x-next-page');
  if (next) return next;
  const address = nextPageUrl(headers);
  return address === null ? null : new URL(address).searchParams.get('page');
}

/** The URL of the next page in the Link header. */
export const nextPageUrl = (headers: GitlabAnswer['headers']): string | null =>
  /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
