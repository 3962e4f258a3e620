import { IconBook2 } from '@tabler/icons-react';
import type { Passage } from '#domains/platform/documentation/searchPassages.ts';
import type { PaletteEntry } from './paletteEntry.ts';

/** Finds documentation pages by words, best match first. The text is loaded on the first call. */
export async function findInDocumentation(words: string, maxCount: number): Promise<PaletteEntry[]> {
  const [{ pages }, { passagesOf, searchPassages: search }] = await Promise.all([
    import('virtual:user-docs'),
    import('#domains/platform/documentation/searchPassages.ts'),
  ]);
  passages ??= passagesOf(pages);
  return search(passages, words)
    .slice(0, maxCount)
    .map(({ href, title, heading, snippet }) => ({
      id: href,
      label: heading === undefined ? title : `${title} › ${heading}`,
      detail: snippet.join(''),
      Icon: IconBook2,
      href,
    }));
}

let passages: Passage[] | undefined;
