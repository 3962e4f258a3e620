import type { DocPage } from 'virtual:user-docs';
import { trustDocumentation } from '#lib/trustedTypes.ts';

/** A piece of a page: what stands under one of its headings, or before the first. */
export interface Passage {
  href: string;
  title: string;
  /** Undefined before the first heading. */
  heading: string | undefined;
  text: string;
}

export interface Hit extends Passage {
  /** About 120 characters around what was found; every second piece of them was asked for. */
  snippet: string[];
}

const most = 20;
const around = 60;

/** What can be found, piece by piece. */
export function passagesOf(pages: readonly DocPage[]): Passage[] {
  return pages.flatMap(({ name, title, html }) => {
    // Cells and lines would run into one another.
    const spaced = html.replaceAll(/<\/(td|th|li|p)>/g, '$& ');
    const { body } = new DOMParser().parseFromString(trustDocumentation(spaced), 'text/html');
    for (const apart of body.querySelectorAll('[data-copy], [data-anchor], .vh')) apart.remove();
    const passages: Passage[] = [{ href: `/docs/${name}`, title, heading: undefined, text: '' }];
    for (const part of body.children) {
      const heading = part.querySelector(':scope > [id]');
      if (heading) {
        passages.push({ href: `/docs/${name}#${heading.id}`, title, heading: wordsOf(heading), text: '' });
        continue;
      }
      const last = passages.at(-1);
      if (last) last.text = `${last.text} ${wordsOf(part)}`.trim();
    }
    return passages;
  });
}

/**
 * Where every word stands: in the title of the page, the heading or the text, upper or lower case, also within a longer
 * word. The best come first: words of the title, then of the heading, then of the text.
 */
export function search(passages: readonly Passage[], asked: string): Hit[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return passages
    .map((passage) => ({ passage, worth: worthOf(passage, words) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, most)
    .map(({ passage }) => ({ ...passage, snippet: excerptOf(passage.text, words) }));
}

const wordsOf = (element: Element) => (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();

function worthOf({ title, heading, text }: Passage, words: readonly string[]): number {
  const places = [title, heading ?? '', text].map((place) => place.toLowerCase());
  const [ofTitle = '', ofHeading = '', ofText = ''] = places;
  if (words.some((word) => !places.some((place) => place.includes(word)))) return 0;
  // The title is that of every piece, so it leads to the first of them only.
  const own = heading === undefined ? 100 : 0;
  return words.reduce((sum, word) => {
    if (ofTitle.includes(word) && own > 0) return sum + own;
    if (ofHeading.includes(word)) return sum + (begins(ofHeading, word) ? 12 : 10);
    return sum + (ofText.includes(word) ? (begins(ofText, word) ? 2 : 1) : 0);
  }, 0);
}

const begins = (text: string, word: string): boolean => ` ${text}`.includes(` ${word}`);

function excerptOf(text: string, words: readonly string[]): string[] {
  const found = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const middle = found.length > 0 ? Math.min(...found) : 0;
  const from = middle <= around ? 0 : text.indexOf(' ', middle - around) + 1;
  const to = from + 2 * around >= text.length ? text.length : text.lastIndexOf(' ', from + 2 * around);
  const piece = `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`;
  const any = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return piece.split(new RegExp(`(${any})`, 'i'));
}
