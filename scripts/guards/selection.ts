import { parseArgs } from 'node:util';
import type { Guard } from './guard.ts';
import { lists } from './list.ts';

export interface GuardSelection {
  /** The list they stand in. */
  noun: string;
  guards: readonly Guard[];
}

/**
 * What the command line asks for: guards whose name or file holds each of the words, of the lists in `--only`, or of those from `--from` on.
 *
 * @throws Error where there is no such list, or no such guard.
 */
export function askedFor(args: readonly string[]): GuardSelection[] {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, from: { type: 'string' } },
    allowPositionals: true,
  });
  const nouns = Object.keys(lists);
  const { from = nouns[0], only } = values;
  const chosen = only?.split(',') ?? nouns.slice(nouns.indexOf(from ?? ''));
  const unknown = [...(only?.split(',') ?? []), from].find((noun) => !nouns.includes(noun ?? ''));
  if (unknown !== undefined) throw new Error(`No list is called ${unknown}. There are: ${nouns.join(', ')}.`);
  const words = positionals.map((word) => word.toLowerCase());
  const asked = chosen
    .map((noun) => ({ noun, guards: (lists[noun] ?? []).filter((guard) => holds(guard, words)) }))
    .filter(({ guards }) => guards.length > 0);
  if (asked.length === 0) throw new Error('No guard is called that.');
  return asked;
}

const holds = ({ name, file }: Guard, words: readonly string[]): boolean =>
  words.every((word) => `${name} ${file}`.toLowerCase().includes(word));
