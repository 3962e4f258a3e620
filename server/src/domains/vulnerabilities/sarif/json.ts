/** The path of a value in a document: keys and indexes. */
export type JsonPath = readonly (string | number)[];

/** Why a document is rejected: the reason as a sentence, its path, and the line and column, from 1. */
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

/** Formats a path as `runs[0].results[17]`. */
export const formatJsonPath = (path: JsonPath): string =>
  path.reduce<string>((place, step) => {
    if (typeof step === 'number') return `${place}[${step}]`;
    const name = step.slice(0, 100);
    if (!/^[$A-Za-z_][\w$-]*$/.test(name)) return `${place}[${JSON.stringify(name)}]`;
    return place === '' ? name : `${place}.${name}`;
  }, '');

export interface JsonItem {
  path: JsonPath;
  value: unknown;
  /** The position of its first byte. */
  at: number;
}

export interface JsonReader {
  /** Returns the values that this chunk completes. Throws JsonProblem. */
  write: (chunk: Buffer) => JsonItem[];
  /** Whether the first value of the document is complete. */
  isDone: () => boolean;
  /**
   * Returns the value that the end of the document completes, if any. Throws JsonProblem if the document is incomplete.
   */
  end: () => JsonItem[];
  /** Returns the line and column of the first byte of a value; undefined before the last chunk. */
  positionOf: (at: number) => [line: number, column: number] | undefined;
}

export interface JsonReaderOptions {
  /**
   * Whether to enter the object or list at `path`, or to return it as one value. `at` is the position of its first
   * byte. The path is valid only during the call.
   */
  enter: (path: JsonPath, isList: boolean, at: number) => boolean;
  /** The input is a part of a document: text after its first value is ignored. */
  part?: boolean;
  /** Maximum number of bytes of a value. */
  maxItem?: number;
  /** Maximum nesting depth. */
  maxDepth?: number;
}

/** Returns the line and column after a text that begins at a line and column. */
export function positionAfter(line: number, column: number, text: string): [line: number, column: number] {
  const before = text.split('\n');
  const last = before.at(-1) ?? '';
  return [line + before.length - 1, before.length === 1 ? column + last.length : last.length + 1];
}
