import type { ScannerApi } from './scanner-api.ts';

/** A numbered page of a list, with the number of items of the entire list. */
export interface NumberedPage<Item> {
  items: readonly Item[];
  total: number;
}

interface NumberedPages<Item> {
  /** `page`: from 1. */
  read: (page: number) => Promise<NumberedPage<Item>>;
  size: number;
  /** Identifies an item in the list. */
  keyOf: (item: Item) => string;
}

/**
 * Reads a list by page number, each item once. Throws if the list changed meanwhile, or if pages repeat items and others
 * are therefore missing: an incomplete list would mark findings as fixed.
 */
export async function* readNumberedPages<Item>(
  api: Pick<ScannerApi, 'problem'>,
  { read, size, keyOf }: NumberedPages<Item>,
): AsyncGenerator<Item[]> {
  const seen = new Set<string>();
  let expected: number | undefined;
  for (let page = 1; ; page += 1) {
    const { items, total } = await read(page);
    expected ??= total;
    if (total !== expected) throw api.problem('changed its list while it was read');
    const fresh = new Map<string, Item>();
    for (const item of items) if (!seen.has(keyOf(item))) fresh.set(keyOf(item), item);
    for (const key of fresh.keys()) seen.add(key);
    if (fresh.size > 0) yield [...fresh.values()];
    if (items.length === 0 || page * size >= total) break;
  }
  if (seen.size < (expected ?? 0))
    throw api.problem(`returned ${seen.size} of ${expected} items, because it repeated a page`);
}

interface UncountedPages<Item> {
  /** The number of the first page. */
  first: number;
  size: number;
  read: (page: number) => Promise<readonly Item[]>;
  keyOf: (item: Item) => string;
}

/**
 * Reads a list without a total, each item once: a page that is not full is the last one. Throws if a full page has no new
 * item, since others are then missing.
 */
export async function* readUncountedPages<Item>(
  api: Pick<ScannerApi, 'problem'>,
  { first, size, read, keyOf }: UncountedPages<Item>,
): AsyncGenerator<Item[]> {
  const seen = new Set<string>();
  for (let page = first; ; page += 1) {
    const items = await read(page);
    const fresh = new Map<string, Item>();
    for (const item of items) if (!seen.has(keyOf(item))) fresh.set(keyOf(item), item);
    if (items.length > 0 && fresh.size === 0) throw api.problem('repeated a page of its list');
    for (const key of fresh.keys()) seen.add(key);
    if (fresh.size > 0) yield [...fresh.values()];
    if (items.length < size) return;
  }
}
