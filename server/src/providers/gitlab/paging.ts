import { z } from 'zod';
import type { HostPage } from '../host-facts.ts';
import type { Ask, GitlabAnswer } from './transport.ts';

const perPage = 100;
// Of a commit with more files, and of a merge request with more notes, the rest is left out.
const mostPages = 30;

const list = z.array(z.unknown());

/** All items of a list; of a very long one those of the first `most` pages. */
export async function everything(
  ask: Ask,
  path: string,
  query: Record<string, string | number | boolean> = {},
  most = mostPages,
): Promise<unknown[]> {
  const items: unknown[] = [];
  for (let page: string | null = null, read = 0; read < most; read += 1) {
    const found: HostPage<unknown> = await listed(ask, path, query, page);
    items.push(...found.items);
    page = found.next;
    if (page === null) break;
  }
  return items;
}

/** One page of a list; `page` null for the first. */
export async function listed(
  ask: Ask,
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

// Behind some proxies only one of the two headers arrives.
function nextOf(headers: GitlabAnswer['headers']): string | null {
  const next = headers.get('x-next-page');
  if (next) return next;
  const address = addressOfNext(headers);
  return address === null ? null : new URL(address).searchParams.get('page');
}

/** The address of the page after this one, as the Link header gives it. */
export const addressOfNext = (headers: GitlabAnswer['headers']): string | null =>
  /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
