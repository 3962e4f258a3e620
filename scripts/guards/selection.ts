import { parseArgs } from 'node:util';
import type { Mutation } from './guard.ts';
import { mutationLists } from './list.ts';

export interface GuardSelection {
  /** The name of the list. */
  noun: string;
  guards: readonly Mutation[];
}

/**
 * Returns the mutations that the command line selects: those whose name or file contains each word, in the lists of
 * `--only`, or in the lists from `--from` on.
 *
 * @throws Error if there is no such list or mutation.
 */
export function selectMutations(args: readonly string[]): GuardSelection[] {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, from: { type: 'string' } },
    allowPositionals: true,
  });
  const nouns = Object.keys(mutationLists);
  const { from = nouns[0], only } = values;
  const chosen = only?.split(',') ?? nouns.slice(nouns.indexOf(from ?? ''));
  const unknown = [...(only?.split(',') ?? []), from].find((noun) => !nouns.includes(noun ?? ''));
  if (unknown !== undefined) throw new Error(`No list is called ${unknown}. There are: ${nouns.join(', ')}.`);
  const words = positionals.map((word) => word.toLowerCase());
  const selections = chosen
    .map((noun) => ({ noun, guards: (mutationLists[noun] ?? []).filter((guard) => matches(guard, words)) }))
    .filter(({ guards }) => guards.length > 0);
  if (selections.length === 0) throw new Error('No guard is called that.');
  return selections;
}

const matches = ({ name, file }: Mutation, words: readonly string[]): boolean =>
  words.every((word) => `${name} ${file}`.toLowerCase().includes(word));
