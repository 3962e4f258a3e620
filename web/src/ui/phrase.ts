import type { Parameter, Summary } from '@sightline/contract/timeline/events.ts';

/** A piece of a sentence: words, or a parameter with its place among the summary's parameters. */
export type Piece = { words: string } | { parameter: Parameter; index: number };

/** Splits a phrase at its placeholders: `{0} opened {1}`. A placeholder nothing stands for is dropped. */
export function piecesOf({ phrase, parameters }: Summary): Piece[] {
  return phrase
    .split(/(\{\d+\})/)
    .filter((part) => part.trim() !== '')
    .flatMap((part): Piece[] => {
      const place = /^\{(\d+)\}$/.exec(part)?.[1];
      if (place === undefined) return [{ words: part }];
      const parameter = parameters[Number(place)];
      return parameter ? [{ parameter, index: Number(place) }] : [];
    });
}
