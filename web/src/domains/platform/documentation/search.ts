import type { DocPage } from 'virtual:user-docs';
import { trustDocumentation } from '#lib/trustedTypes.ts';

/** A section of a page: the text below a heading, or before the first one. */
export interface Passage {
  href: string;
  title: string;
  /** Undefined before the first heading. */
  heading: string | undefined;
  text: string;
}

export interface SearchHit extends Passage {
  /** About 120 characters around the match. Every second piece is a match. */
  snippet: string[];
}

const maxHits = 20;
const snippetRadius = 60;

/** Splits the pages into searchable sections. */
export function passagesOf(pages: readonly DocPage[]): Passage[] {
  return pages.flatMap(({ name, title, html }) => {
    // Without spaces, the text of adjacent cells and lines would merge.
    const spaced = html.replaceAll(/<\/(td|th|li|p)>/g, '$& ');
    const { body } = new DOMParser().parseFromString(trustDocumentation(spaced), 'text/html');
    for (const control of body.querySelectorAll('[data-copy], [data-anchor], .vh')) control.remove();
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
 * Finds passages with every word in the page title, the heading or the text, ignoring case and within longer words.
 * Ranks matches in the title first, then in the heading, then in the text.
 */
export function searchPassages(passages: readonly Passage[], query: string): SearchHit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return passages
    .map((passage) => ({ passage, score: scoreOf(passage, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxHits)
    .map(({ passage }) => ({ ...passage, snippet: excerptOf(passage.text, words) }));
}

const wordsOf = (element: Element) => (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();

function scoreOf({ title, heading, text }: Passage, words: readonly string[]): number {
  const fields = [title, heading ?? '', text].map((field) => field.toLowerCase());
  const [ofTitle = '', ofHeading = '', ofText = ''] = fields;
  if (words.some((word) => !fields.some((field) => field.includes(word)))) return 0;
  // All passages of a page share its title, so a match in the title counts for the first one only.
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
  const from = middle <= snippetRadius ? 0 : text.indexOf(' ', middle - snippetRadius) + 1;
  const to = from + 2 * snippetRadius >= text.length ? text.length : text.lastIndexOf(' ', from + 2 * snippetRadius);
  const piece = `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`;
  const pattern = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return piece.split(new RegExp(`(${pattern})`, 'i'));
}
