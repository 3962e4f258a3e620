import type { ScannerApi } from './scanner-api.ts';

/** A numbered page of a list, with the number of items of the entire list. */
export interface NumberedPage<Item> {
  items: readonly Item[];
  total: number;
}

interface NumberedPages<Item> {
  /** `page`: from 1. */
  read: (page: number) => Promise<NumberedPage<Item>>;
  /** Identifies an item in the list. */
  keyOf: (item: Item) => string;
}

/**
 * Reads a list by page number until it has as many items as the list reports, each once. Throws if the list changed
 * meanwhile, or if pages repeat items and others are therefore missing: an incomplete list would mark findings as fixed.
 * A server may return smaller pages than requested.
 */
export async function* readNumberedPages<Item>(
  api: Pick<ScannerApi, 'problem'>,
  { read, keyOf }: NumberedPages<Item>,
): AsyncGenerator<Item[]> {
  const seen = new Set<string>();
  let expected: number | undefined;
  for (let page = 1; ; page += 1) {
    const { items, total } = await read(page);
    expected ??= total;
    if (total !== expected) throw api.problem('changed its list while it was read');
    const fresh = freshIn(items, keyOf, seen);
    if (fresh.length > 0) yield fresh;
    if (seen.size >= expected) return;
    if (fresh.length === 0)
      throw api.problem(`returned ${seen.size} of ${expected} items, because it repeated or omitted a page`);
  }
}

interface UncountedPages<Item> {
  /** The number of the first page. */
  first: number;
  read: (page: number) => Promise<readonly Item[]>;
  keyOf: (item: Item) => string;
}

/**
 * Reads a list without a total until an empty page, each item once. Throws if a page has no new item, since others are
 * then missing.
 */
export async function* readUncountedPages<Item>(
  api: Pick<ScannerApi, 'problem'>,
  { first, read, keyOf }: UncountedPages<Item>,
): AsyncGenerator<Item[]> {
  const seen = new Set<string>();
  for (let page = first; ; page += 1) {
    const items = await read(page);
    if (items.length === 0) return;
    const fresh = freshIn(items, keyOf, seen);
    if (fresh.length === 0) throw api.problem('repeated a page of its list');
    yield fresh;
  }
}

/** The items that no earlier page had, each once; adds them to `seen`. */
function freshIn<Item>(items: readonly Item[], keyOf: (item: Item) => string, seen: Set<string>): Item[] {
  return items.filter((item) => {
    const key = keyOf(item);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
