import { countCharacters } from './json-errors.ts';

/** A line and a column, from 1; columns count UTF-16 code units. */
export type TextPosition = [line: number, column: number];

/** Counts lines and columns of a document that is read in chunks. */
export class PositionCounter {
  /** The current chunk, and the offset of its first byte in the document. */
  chunk: Buffer = Buffer.alloc(0);
  offset = 0;
  // The position at the end of the previous chunk: the line, and the characters in it.
  #lines = 1;
  #characters = 0;

  /** Moves to the next chunk. Before that, positions in the previous chunk are available. */
  advance(next: Buffer): void {
    const [line, column] = this.positionOf(this.chunk.length);
    this.#lines = line;
    this.#characters = column - 1;
    this.offset += this.chunk.length;
    this.chunk = next;
  }

  /** Excludes the byte order mark from the characters of the first line. */
  skipByteOrderMark(): void {
    this.#characters = -1;
  }

  /** Returns the position of a byte of the current chunk. */
  positionOf(at: number): TextPosition {
    let [line, from, before] = [this.#lines, 0, this.#characters];
    for (let i = this.chunk.indexOf(0x0a); i !== -1 && i < at; i = this.chunk.indexOf(0x0a, i + 1)) {
      [line, from, before] = [line + 1, i + 1, 0];
    }
    return [line, before + countCharacters(this.chunk, from, at) + 1];
  }
}
