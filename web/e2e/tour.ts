import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A step of docs/tour.md: the path of its link, and the texts that the page must show. */
interface TourStep {
  path: string;
  shows: string[];
}

/** The part of the tour for one role; `email` is undefined for the outside auditor. */
interface TourPart {
  role: string;
  email: string | undefined;
  steps: TourStep[];
}

/** Reads the steps of each role. Throws if a step has no link and no bold text. */
export function readTour(): TourPart[] {
  const text = readFileSync(fileURLToPath(new URL('../../docs/tour.md', import.meta.url)), 'utf8');
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n');
      const [role = '', where = ''] = heading.split(': ');
      return { role, email: where.includes('@') ? where.trim() : undefined, steps: stepsIn(lines.join('\n')) };
    });
}

const stepsIn = (text: string): TourStep[] =>
  text
    .split(/^\d+\. /m)
    .slice(1)
    .map((step) => {
      const words = step.replaceAll(/\s+/g, ' ');
      const path = /\]\((\/[^)]*)\)/.exec(words)?.[1] ?? '';
      const shows = [...words.matchAll(/\*\*([^*]+)\*\*/g)].map(([, shown = '']) => shown);
      if (shows.length === 0) throw new Error(`A step of the tour expects nothing: ${words}`);
      return { path, shows };
    });
