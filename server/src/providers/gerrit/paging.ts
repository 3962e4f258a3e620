import { createHash } from 'node:crypto';
import { z } from 'zod';
import { HostFailed } from '#providers/code-host.ts';
import type { HostPage } from '../host-facts.ts';
import type { GerritApi, GerritQuery } from './transport.ts';

const perPage = 100;

interface PageName {
  /** Number of items before the page. */
  start: number;
  /** A digest of the page before it. */
  before: string;
}

const nameFrom = (page: string | null): PageName => {
  const [start = '0', before = ''] = page?.split(' ') ?? [];
  return { start: Number(start), before };
};

const digestOf = (items: unknown): string =>
  createHash('sha256').update(JSON.stringify(items)).digest('base64url').slice(0, 16);

/**
 * The next page after the items of one; the host may return fewer than were requested. Throws HostFailed if a page
 * repeats the one before it, because another one would be missing.
 */
function nextOf({ start, before }: PageName, items: readonly unknown[], hasMore: boolean): string | null {
  const digest = digestOf(items);
  if (items.length > 0 && digest === before) throw new HostFailed('The code host repeated a page of a list');
  return hasMore && items.length > 0 ? `${start + items.length} ${digest}` : null;
}

const listed = z.array(z.looseObject({ _more_changes: z.boolean().nullish() }));

/** Reads a page of changes, latest update first; null for the first one. */
export async function readChanges(
  api: GerritApi,
  { search, options }: { search: string; options: readonly string[] },
  page: string | null,
): Promise<HostPage<Record<string, unknown>>> {
  const name = nameFrom(page);
  const query = { q: search, o: options, n: perPage, start: name.start };
  const items = listed.parse((await api.json('/changes/', query)) ?? []);
  return { items, next: nextOf(name, items, items.at(-1)?._more_changes === true), total: null };
}

const projects = z.record(z.string(), z.looseObject({ _more_projects: z.boolean().nullish() }));

/** Reads a page of projects that can contain code. `folder`: the start of their names; empty for all. */
export async function readProjects(
  api: GerritApi,
  folder: string,
  page: string | null,
): Promise<HostPage<{ name: string; json: unknown }>> {
  const name = nameFrom(page);
  const query = {
    type: 'CODE',
    state: 'ACTIVE',
    n: perPage,
    S: name.start,
    ...(folder !== '' && { p: `${folder}/` }),
  };
  const items = Object.entries(projects.parse((await api.json('/projects/', query)) ?? {}))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([project, json]) => ({ name: project, json }));
  const hasMore = items.some(({ json }) => json._more_projects === true);
  return { items, next: nextOf(name, items, hasMore), total: null };
}

const log = z.object({ log: z.array(z.unknown()), next: z.string().nullish() });

/**
 * Reads a page of a history from the plugin Gitiles, newest first. `range`: a branch or commit, or two with `..`
 * between. The name of the next page contains the commit that begins it.
 */
export async function readLog(
  api: GerritApi,
  path: string,
  page: string | null,
  query: GerritQuery = {},
): Promise<HostPage<unknown>> {
  const [from, before = ''] = page?.split(' ') ?? [];
  const found = log.parse(await api.json(path, { n: perPage, ...query, format: 'JSON', s: from }));
  const digest = digestOf(found.log);
  if (found.log.length > 0 && digest === before) throw new HostFailed('The code host repeated a page of a list');
  return { items: found.log, next: found.next ? `${found.next} ${digest}` : null, total: null };
}

/** Reads a whole history between two commits, newest first. */
export async function readWholeLog(api: GerritApi, path: string): Promise<unknown[]> {
  const items: unknown[] = [];
  let page: string | null = null;
  do {
    const found: HostPage<unknown> = await readLog(api, path, page);
    items.push(...found.items);
    page = found.next;
  } while (page !== null);
  return items;
}
