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

export interface JsonItem {
  path: Path;
  value: unknown;
  /** The byte it begins with. */
  at: number;
}

export interface JsonReader {
  /** The values that became complete with this piece of the document. Throws JsonProblem. */
  write: (chunk: Buffer) => JsonItem[];
  /** Whether its first value is complete. */
  isDone: () => boolean;
  /** The value that became complete with the end of the document, if any. Throws JsonProblem where it is not complete. */
  end: () => JsonItem[];
  /** The line and column of a byte at which a value begins; undefined where that was before the last piece. */
  positionOf: (at: number) => [line: number, column: number] | undefined;
}

export interface JsonReaderOptions {
  /**
   * Whether to go into the object or list at `path`, or to answer it as one value. `at` is the byte it begins with. The
   * path is good for the call only.
   */
  enter: (path: Path, isList: boolean, at: number) => boolean;
  /** What is read is a part of a document: what follows its first value is somebody else's. */
  part?: boolean;
  /** Bytes that one answered value may have. */
  maxItem?: number;
  /** How deep objects and lists may stand in each other. */
  maxDepth?: number;
}

/** The line and column after some text that begins at a line and column. */
export function lineAfter(line: number, column: number, text: string): [line: number, column: number] {
  const before = text.split('\n');
  const last = before.at(-1) ?? '';
  return [line + before.length - 1, before.length === 1 ? column + last.length : last.length + 1];
}
