import { parseArgs } from 'node:util';
import type { Mutation } from './guard.ts';
import { mutationLists } from './list.ts';

export interface MutationSelection {
  list: string;
  mutations: readonly Mutation[];
}

/**
 * Returns the mutations that the command line selects: those whose name or file contains each word, in the lists of
 * `--only`, or in the lists from `--from` on.
 *
 * @throws Error if there is no such list or mutation.
 */
export function selectMutations(args: readonly string[]): MutationSelection[] {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, from: { type: 'string' } },
    allowPositionals: true,
  });
  const lists = Object.keys(mutationLists);
  const { from = lists[0], only } = values;
  const chosen = only?.split(',') ?? lists.slice(lists.indexOf(from ?? ''));
  const unknown = [...(only?.split(',') ?? []), from].find((list) => !lists.includes(list ?? ''));
  if (unknown !== undefined) throw new Error(`No list is called ${unknown}. The lists are ${lists.join(', ')}.`);
  const words = positionals.map((word) => word.toLowerCase());
  const selections = chosen
    .map((list) => ({ list, mutations: (mutationLists[list] ?? []).filter((one) => matches(one, words)) }))
    .filter(({ mutations }) => mutations.length > 0);
  if (selections.length === 0) throw new Error('No mutation matches.');
  return selections;
}

const matches = ({ name, file }: Mutation, words: readonly string[]): boolean =>
  words.every((word) => `${name} ${file}`.toLowerCase().includes(word));
