import { isUtf8 } from 'node:buffer';
import {
  formatJsonPath,
  type JsonItem,
  JsonProblem,
  type JsonReader,
  type JsonReaderOptions,
  positionAfter,
} from './json.ts';
import {
  endOfLiteral,
  endOfValue,
  endOfWhiteSpace,
  INCOMPLETE_VALUE,
  jsonBytes,
  NESTED_TOO_DEEPLY,
  newValueState,
} from './json-bytes.ts';
import { findSyntaxError, firstInvalidUtf8 } from './json-errors.ts';
import { PositionCounter, type TextPosition } from './json-position.ts';

interface Frame {
  list: boolean;
  keys: Set<string> | undefined;
}

/** The expected next token. `first…` also allows the end of the object or list that was just opened. */
type Expecting = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'nothing';

/** How the end of a value is found: `text` also of a key, `tree` of an object or list, `bare` of a number or literal. */
type ValueKind = 'text' | 'tree' | 'bare';

const cutOff = 'is truncated';
const MAX_KEYS = 100_000;

/**
 * Creates a reader that parses a JSON document in chunks and returns selected values. Holds at most one value in
 * memory. Validates skipped text as strictly as values: JSON.parse reads every value.
 */
export function createJsonReader(options: JsonReaderOptions): JsonReader {
  const reader = new ChunkedJsonReader(options);
  return {
    write: (chunk) => reader.write(chunk),
    isDone: () => reader.isDone(),
    positionOf: (at) => reader.positionOf(at),
    end: () => reader.end(),
  };
}

/** Methods that take a position in the chunk return the position that follows what they read. */
class ChunkedJsonReader implements JsonReader {
  readonly #enter: JsonReaderOptions['enter'];
  readonly #isPart: boolean;
  readonly #maxItem: number;
  readonly #maxDepth: number;
  readonly #position = new PositionCounter();
  readonly #frames: Frame[] = [];
  readonly #path: (string | number)[] = [];
  #expecting: Expecting = 'value';
  #found: JsonItem[] = [];
  // The current value: its kind, its pieces of earlier chunks, their length, and the state within it.
  #gathering: ValueKind | undefined;
  #pieces: Buffer[] = [];
  #gathered = 0;
  #inside = newValueState();
  /** The start of the current value, if in an earlier chunk. */
  #beganAt: TextPosition | undefined;
  /** The last value that began in an earlier chunk, by its first byte. */
  #earlier: { at: number; position: TextPosition } | undefined;

  constructor({ enter, part = false, maxItem = 10_000_000, maxDepth = 100 }: JsonReaderOptions) {
    this.#enter = enter;
    this.#isPart = part;
    this.#maxItem = maxItem;
    this.#maxDepth = maxDepth;
  }

  write(next: Buffer): JsonItem[] {
    this.#position.advance(next);
    this.#found = [];
    let at = this.#position.offset === 0 ? this.#readByteOrderMark(next) : 0;
    while (at < next.length) {
      at = this.#gathering === undefined ? this.#readToken(endOfWhiteSpace(next, at)) : this.#gather(at, at);
    }
    return this.#found;
  }

  isDone(): boolean {
    return this.#expecting === 'nothing';
  }

  positionOf(at: number): TextPosition | undefined {
    const { offset } = this.#position;
    if (at >= offset) return this.#position.positionOf(at - offset);
    return this.#earlier?.at === at ? this.#earlier.position : undefined;
  }

  end(): JsonItem[] {
    this.#found = [];
    this.#position.advance(Buffer.alloc(0));
    // A number may end with the document.
    if (this.#gathering !== undefined) {
      // An incomplete value may have ended too late; the error is then at its expected end.
      const at = this.#position.offset - this.#gathered;
      const value = this.#parse(Buffer.concat(this.#pieces), 0);
      this.#finishValue(value, 0, at);
    }
    if (this.#expecting === 'value' && this.#frames.length === 0) throw this.#problem('is empty', 0);
    if (this.#expecting !== 'nothing') throw this.#problem(cutOff, 0);
    return this.#found;
  }

  /** Skips a UTF-8 byte order mark and rejects other encodings. */
  #readByteOrderMark([first, second, third]: Buffer): number {
    if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0) {
      throw this.#problem('is encoded in UTF-16 or UTF-32. JSON must be UTF-8', 0);
    }
    if (first !== 0xef || second !== 0xbb || third !== 0xbf) return 0;
    this.#position.skipByteOrderMark();
    return 3;
  }

  /** What is read in each state at a byte that is no white space. */
  static readonly #states: Readonly<
    Record<Expecting, (reader: ChunkedJsonReader, at: number, byte: number) => number>
  > = {
    'first value': (reader, at, byte) =>
      byte === jsonBytes.closeList ? reader.#close(at) : reader.#readValue(at, byte),
    value: (reader, at, byte) => reader.#readValue(at, byte),
    'first key': (reader, at, byte) => (byte === jsonBytes.closeObject ? reader.#close(at) : reader.#readKey(at, byte)),
    key: (reader, at, byte) => reader.#readKey(at, byte),
    colon: (reader, at, byte) => reader.#readColon(at, byte),
    comma: (reader, at, byte) => reader.#readComma(at, byte),
    nothing: (reader, at) => reader.#readRest(at),
  };

  #readToken(at: number): number {
    const byte = this.#position.chunk[at];
    return byte === undefined ? at : ChunkedJsonReader.#states[this.#expecting](this, at, byte);
  }

  #readColon(at: number, byte: number): number {
    if (byte !== jsonBytes.colon) throw this.#problem('is not JSON: a colon is missing after the key', at);
    this.#expecting = 'value';
    return at + 1;
  }

  /** Reads what follows a value in an object or list. */
  #readComma(at: number, byte: number): number {
    const { list } = this.#frames.at(-1) as Frame;
    if (byte === (list ? jsonBytes.closeList : jsonBytes.closeObject)) return this.#close(at);
    if (byte !== jsonBytes.comma) {
      throw this.#problem(`is not JSON: a comma or the end of the ${list ? 'list' : 'object'} is missing`, at);
    }
    if (list) this.#path[this.#path.length - 1] = (this.#path.at(-1) as number) + 1;
    else this.#path.pop();
    this.#expecting = list ? 'value' : 'key';
    return at + 1;
  }

  #readRest(at: number): number {
    if (this.#isPart) return this.#position.chunk.length;
    throw this.#problem('contains data after its end', at);
  }

  #readValue(at: number, byte: number): number {
    const isList = byte === jsonBytes.openList;
    if (isList || byte === jsonBytes.openObject) {
      const isEntered = this.#enter(this.#path, isList, this.#position.offset + at);
      return isEntered ? this.#open(at, isList) : this.#begin('tree', at);
    }
    if (byte === jsonBytes.quote) return this.#begin('text', at);
    if (!startsLiteral(byte)) throw this.#problem('is not JSON: a value is missing', at);
    return this.#begin('bare', at);
  }

  #readKey(at: number, byte: number): number {
    if (byte !== jsonBytes.quote) throw this.#problem('is not JSON: a key in quotation marks is missing', at);
    this.#expecting = 'key';
    return this.#begin('text', at);
  }

  #open(at: number, list: boolean): number {
    if (this.#frames.length >= this.#maxDepth) throw this.#tooDeep(at);
    this.#frames.push({ list, keys: list ? undefined : new Set() });
    if (list) this.#path.push(0);
    this.#expecting = list ? 'first value' : 'first key';
    return at + 1;
  }

  #close(at: number): number {
    const isEmptyObject = this.#expecting === 'first key';
    this.#frames.pop();
    if (!isEmptyObject) this.#path.pop();
    this.#expectNext();
    return at + 1;
  }

  #expectNext(): void {
    this.#expecting = this.#frames.length === 0 ? 'nothing' : 'comma';
  }

  #begin(kind: ValueKind, at: number): number {
    this.#gathering = kind;
    this.#inside = newValueState();
    return this.#gather(at, at);
  }

  /** Continues the current value from `at`; it begins in this chunk at `start`. */
  #gather(start: number, at: number): number {
    const { chunk, offset } = this.#position;
    const end =
      this.#gathering === 'bare'
        ? endOfLiteral(chunk, at)
        : endOfValue(chunk, at, this.#inside, this.#maxDepth - this.#frames.length);
    if (end === NESTED_TOO_DEEPLY) throw this.#tooDeep(at);
    if (end === INCOMPLETE_VALUE) {
      this.#keepPiece(chunk.subarray(start), start);
      return chunk.length;
    }
    this.#gathering = undefined;
    const first = offset + start - this.#gathered;
    const value = this.#parse(this.#bytesOfValue(start, end), start);
    this.#finishValue(value, end, first);
    return end;
  }

  #keepPiece(piece: Buffer, start: number): void {
    this.#beganAt ??= this.#position.positionOf(start);
    this.#gathered += piece.length;
    if (this.#gathered > this.#maxItem) throw this.#tooLarge(this.#position.chunk.length);
    // A copy, since the caller may reuse the memory of the chunk.
    this.#pieces.push(Buffer.from(piece));
  }

  #bytesOfValue(start: number, end: number): Buffer {
    const last = this.#position.chunk.subarray(start, end);
    if (this.#gathered + last.length > this.#maxItem) throw this.#tooLarge(start);
    return this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
  }

  /**
   * Parses the bytes of a value, which begins in this chunk at `start` or in an earlier one. Throws JsonProblem if
   * invalid.
   */
  #parse(bytes: Buffer, start: number): unknown {
    if (!isUtf8(bytes)) {
      const valid = bytes.subarray(0, firstInvalidUtf8(bytes)).toString('utf8');
      throw this.#problemInValue('is not encoded in UTF-8', valid, start);
    }
    const text = bytes.toString('utf8');
    try {
      return JSON.parse(text);
    } catch {
      const { isCut, at } = findSyntaxError(text);
      // A literal or number before other text is not truncated but invalid from its beginning.
      const isComplete = this.#gathering === undefined && !/^["[{]/.test(text);
      if (isComplete) throw this.#problemInValue('is not JSON', '', start);
      throw this.#problemInValue(isCut ? cutOff : 'is not JSON', text.slice(0, at), start);
    }
  }

  /** Takes a key or value that ends in this chunk at `end` and begins in the document at `first`. */
  #finishValue(value: unknown, end: number, first: number): void {
    this.#gathering = undefined;
    this.#pieces = [];
    this.#gathered = 0;
    this.#earlier = this.#beganAt && { at: first, position: this.#beganAt };
    this.#beganAt = undefined;
    if (this.#expecting === 'key') {
      this.#addKey(value as string, end);
      return;
    }
    this.#found.push({ path: this.#path.slice(), value, at: first });
    this.#expectNext();
  }

  #addKey(key: string, end: number): void {
    const { keys } = this.#frames.at(-1) as Frame;
    if (keys && keys.size > MAX_KEYS) throw this.#problem('has more than 100 000 keys in one object', end);
    if (keys?.has(key)) throw this.#problem(`contains the key ${JSON.stringify(key.slice(0, 100))} twice`, end);
    keys?.add(key);
    this.#path.push(key);
    this.#expecting = 'colon';
  }

  #problem(reason: string, at: number): JsonProblem {
    return new JsonProblem(reason, formatJsonPath(this.#path), ...this.#position.positionOf(at));
  }

  /** Creates a problem at the end of `upTo`, a prefix of the current value. */
  #problemInValue(reason: string, upTo: string, start: number): JsonProblem {
    const [line, column] = this.#beganAt ?? this.#position.positionOf(start);
    return new JsonProblem(reason, formatJsonPath(this.#path), ...positionAfter(line, column, upTo));
  }

  #tooDeep(at: number): JsonProblem {
    return this.#problem(`is nested deeper than ${this.#maxDepth} levels`, at);
  }

  #tooLarge(at: number): JsonProblem {
    return this.#problem(`is larger than ${Math.round(this.#maxItem / 1_000_000)} MB`, at);
  }
}

/** Whether a byte begins a number, or one of `true`, `false` and `null`. */
const startsLiteral = (byte: number) =>
  byte === jsonBytes.minus ||
  (byte >= jsonBytes.zero && byte <= jsonBytes.nine) ||
  byte === 0x74 ||
  byte === 0x66 ||
  byte === 0x6e;
