/** Where a value stands in a document: the keys and positions that lead to it. */
export type Path = readonly (string | number)[];

/** Why a document is not taken: the reason as a sentence, the place in it, and the line and column, from 1. */
export class JsonProblem extends Error {
  override name = 'JsonProblem';
  readonly reason: string;
  readonly place: string;
  readonly line: number;
  readonly column: number;
  constructor(reason: string, place: string, line: number, column: number) {
    super(`${place === '' ? '' : `${place}: `}${reason} (line ${line}, column ${column})`);
    this.reason = reason;
    this.place = place;
    this.line = line;
    this.column = column;
  }
}

/** A path as people write it: `runs[0].results[17]`. */
export const placeOf = (path: Path): string =>
  path.reduce<string>((place, step) => {
    if (typeof step === 'number') return `${place}[${step}]`;
    const name = step.slice(0, 100);
    if (!/^[$A-Za-z_][\w$-]*$/.test(name)) return `${place}[${JSON.stringify(name)}]`;
    return place === '' ? name : `${place}.${name}`;
  }, '');
