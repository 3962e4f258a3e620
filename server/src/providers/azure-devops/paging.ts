import { createHash } from 'node:crypto';
import { HostFailed, HostRefused } from '#providers/code-host.ts';
import type { HostPage } from '../host-facts.ts';
import { list } from './shapes.ts';
import type { AzureDevopsApi, AzureDevopsRequest } from './transport.ts';

const perPage = 100;
// Further items are omitted, such as the commits of a huge pull request.
const MAX_PAGES = 60;

type ListQuery = NonNullable<AzureDevopsRequest['query']>;

interface SkippedList {
  path: string;
  query?: ListQuery;
  /** The prefix of `$top` and `$skip`. */
  prefix?: 'searchCriteria.';
  top?: number;
}

/**
 * Reads one page of a list with `$top` and `$skip`; null for the first. The name of a page contains a digest of the page
 * before it. Throws HostFailed if a page repeats the one before it, because another one would be missing.
 */
export async function readSkippedPage(
  api: AzureDevopsApi,
  { path, query = {}, prefix, top = perPage }: SkippedList,
  page: string | null,
): Promise<HostPage<unknown>> {
  const [skip = '0', before = ''] = page?.split(' ') ?? [];
  const paging = { [`${prefix ?? ''}$top`]: top, [`${prefix ?? ''}$skip`]: Number(skip) };
  const items = list.parse((await api.json(path, { query: { ...query, ...paging } })).data);
  const digest = digestOf(items);
  if (items.length > 0 && digest === before) throw new HostFailed('Azure DevOps repeated a page of a list');
  return { items, next: items.length > 0 ? `${Number(skip) + items.length} ${digest}` : null, total: null };
}

/** The same for a list whose pages are full except for the last one, which saves a request. */
export async function readFullPage(
  api: AzureDevopsApi,
  one: SkippedList,
  page: string | null,
): Promise<HostPage<unknown>> {
  const found = await readSkippedPage(api, one, page);
  return found.items.length < (one.top ?? perPage) ? { ...found, next: null } : found;
}

/** Reads every page of a list with `$top` and `$skip`, up to the first empty one. */
export async function readAllSkipped(api: AzureDevopsApi, one: SkippedList): Promise<unknown[]> {
  const items: unknown[] = [];
  let page: string | null = null;
  do {
    const found: HostPage<unknown> = await readSkippedPage(api, one, page);
    items.push(...found.items);
    page = found.next;
  } while (page !== null);
  return items;
}

/** Reads the items of a list with continuation tokens up to `most` pages, and whether they are all. */
export async function readContinued(
  api: AzureDevopsApi,
  path: string,
  { most = MAX_PAGES, ...question }: AzureDevopsRequest & { most?: number } = {},
): Promise<{ items: unknown[]; isWhole: boolean }> {
  const items: unknown[] = [];
  let [token, before]: (string | undefined)[] = [undefined, ''];
  for (let read = 0; read < most; read += 1) {
    const query = { ...question.query, continuationToken: token };
    const { data, headers } = await api.json(path, { ...question, query });
    const found = list.parse(data);
    const digest = digestOf(found);
    const next: string | null = headers.get('x-ms-continuationtoken');
    if ((found.length > 0 && digest === before) || (next && next === token))
      throw new HostFailed('Azure DevOps repeated a page of a list');
    items.push(...found);
    if (!next) return { items, isWhole: true };
    [token, before] = [next, digest];
  }
  return { items, isWhole: false };
}

/** The same for a list in which a missing item would be mistaken for an absent one. */
export async function readEvery(
  api: AzureDevopsApi,
  path: string,
  question: AzureDevopsRequest = {},
): Promise<unknown[]> {
  const { items, isWhole } = await readContinued(api, path, question);
  if (!isWhole) throw new HostRefused(404, 'A list of Azure DevOps is longer than can be read');
  return items;
}

const digestOf = (items: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(items)).digest('base64url').slice(0, 16);
