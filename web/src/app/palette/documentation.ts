import { IconBook2 } from '@tabler/icons-react';
import type { Passage } from '#domains/platform/documentation/search.ts';
import type { PaletteEntry } from './found.ts';

/** Where the pages for users say something of these words, the best first. Their text is fetched once, when first asked. */
export async function findInDocumentation(words: string, most: number): Promise<PaletteEntry[]> {
  const [{ pages }, { passagesOf, search }] = await Promise.all([
    import('virtual:user-docs'),
    import('#domains/platform/documentation/search.ts'),
  ]);
  passages ??= passagesOf(pages);
  return search(passages, words)
    .slice(0, most)
    .map(({ href, title, heading, snippet }) => ({
      id: href,
      label: heading === undefined ? title : `${title} › ${heading}`,
      detail: snippet.join(''),
      Icon: IconBook2,
      href,
    }));
}

let passages: Passage[] | undefined;
