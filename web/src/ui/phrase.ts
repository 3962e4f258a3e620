import type { Parameter, Summary } from '@sightline/contract/timeline/events.ts';

/** A part of a sentence: text, or a parameter with its index in the summary. */
export type Piece = { words: string } | { parameter: Parameter; index: number };

/** Splits a phrase at its placeholders: `{0} opened {1}`. A placeholder without a parameter is dropped. */
export function phrasePieces({ phrase, parameters }: Summary): Piece[] {
  return phrase
    .split(/(\{\d+\})/)
    .filter((part) => part.trim() !== '')
    .flatMap((part): Piece[] => {
      const index = /^\{(\d+)\}$/.exec(part)?.[1];
      if (index === undefined) return [{ words: part }];
      const parameter = parameters[Number(index)];
      return parameter ? [{ parameter, index: Number(index) }] : [];
    });
}
