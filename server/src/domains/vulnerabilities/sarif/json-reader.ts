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
import { countCharacters, findSyntaxError, firstInvalidUtf8 } from './json-errors.ts';

interface Frame {
  list: boolean;
  keys: Set<string> | undefined;
}

/** The expected next token. `first…` also allows the end of the object or list that was just opened. */
type Expecting = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'nothing';

/**
 * Creates a reader that parses a JSON document in chunks and returns selected values. Holds at most one value in
 * memory. Validates skipped text as strictly as values: JSON.parse reads every value.
 */
export function createJsonReader(options: JsonReaderOptions): JsonReader {
  const { enter, part = false, maxItem = 10_000_000, maxDepth = 100 } = options;
  const frames: Frame[] = [];
  const path: (string | number)[] = [];
  let expecting: Expecting = 'value';
  // The current value: its pieces of earlier chunks, and the state within it.
  let gathering: 'text' | 'tree' | 'bare' | undefined;
  let pieces: Buffer[] = [];
  let gathered = 0;
  let inside = newValueState();
  // The start of the current value, if in an earlier chunk.
  let beganAt: [line: number, column: number] | undefined;
  // The last value that began in an earlier chunk, by its first byte.
  let earlier: { at: number; position: [line: number, column: number] } | undefined;
  // The position at the end of the previous chunk: the line, and the characters in it.
  let lines = 1;
  let characters = 0;
  let offset = 0;
  let chunk: Buffer = Buffer.alloc(0);
  let found: JsonItem[] = [];

  function lineOf(at: number): [line: number, column: number] {
    let [line, from, before] = [lines, 0, characters];
    for (let i = chunk.indexOf(0x0a); i !== -1 && i < at; i = chunk.indexOf(0x0a, i + 1)) {
      [line, from, before] = [line + 1, i + 1, 0];
    }
    return [line, before + countCharacters(chunk, from, at) + 1];
  }

  const problem = (reason: string, at: number): JsonProblem =>
    new JsonProblem(reason, formatJsonPath(path), ...lineOf(at));

  function write(next: Buffer): JsonItem[] {
    advance(next);
    found = [];
    let at = offset === 0 ? afterByteOrderMark() : 0;
    while (at < chunk.length) at = gathering === undefined ? step(endOfWhiteSpace(chunk, at)) : gather(at, at);
    return found;
  }

  /** Moves to the next chunk. Before that, positions in the previous chunk are available. */
  function advance(next: Buffer): void {
    const [line, column] = lineOf(chunk.length);
    [lines, characters] = [line, column - 1];
    offset += chunk.length;
    chunk = next;
  }

  /** Skips a UTF-8 byte order mark and rejects other encodings. */
  function afterByteOrderMark(): number {
    const [first, second, third] = chunk;
    if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0) {
      throw problem('is encoded in UTF-16 or UTF-32. JSON must be UTF-8', 0);
    }
    if (first !== 0xef || second !== 0xbb || third !== 0xbf) return 0;
    // The byte order mark does not count as a character of the line.
    characters = -1;
    return 3;
  }

  /** Processes one character between values. */
  function step(at: number): number {
    const byte = chunk[at];
    if (byte === undefined) return at;
    switch (expecting) {
      case 'first value':
        if (byte === jsonBytes.closeList) return close(at);
        return begin(at, byte);
      case 'value':
        return begin(at, byte);
      case 'first key':
        if (byte === jsonBytes.closeObject) return close(at);
        return beginKey(at, byte);
      case 'key':
        return beginKey(at, byte);
      case 'colon':
        if (byte !== jsonBytes.colon) throw problem('is not JSON: a colon is missing after the key', at);
        expecting = 'value';
        return at + 1;
      case 'comma':
        return afterValue(at, byte);
      case 'nothing':
        if (part) return chunk.length;
        throw problem('contains data after its end', at);
    }
  }

  function afterValue(at: number, byte: number): number {
    const frame = frames.at(-1) as Frame;
    if (byte === (frame.list ? jsonBytes.closeList : jsonBytes.closeObject)) return close(at);
    if (byte !== jsonBytes.comma)
      throw problem(`is not JSON: a comma or the end of the ${nameOf(frame)} is missing`, at);
    if (frame.list) path[path.length - 1] = (path.at(-1) as number) + 1;
    else path.pop();
    expecting = frame.list ? 'value' : 'key';
    return at + 1;
  }

  function close(at: number): number {
    const empty = expecting === 'first key';
    frames.pop();
    if (!empty) path.pop();
    expecting = frames.length === 0 ? 'nothing' : 'comma';
    return at + 1;
  }

  function begin(at: number, byte: number): number {
    const isList = byte === jsonBytes.openList;
    if (isList || byte === jsonBytes.openObject) {
      return enter(path, isList, offset + at) ? open(at, isList) : beginGathering('tree', at);
    }
    if (byte === jsonBytes.quote) return beginGathering('text', at);
    if (
      byte === jsonBytes.minus ||
      (byte >= jsonBytes.zero && byte <= jsonBytes.nine) ||
      byte === 0x74 ||
      byte === 0x66 ||
      byte === 0x6e
    ) {
      return beginGathering('bare', at);
    }
    throw problem('is not JSON: a value is missing', at);
  }

  function beginKey(at: number, byte: number): number {
    if (byte !== jsonBytes.quote) throw problem('is not JSON: a key in quotation marks is missing', at);
    expecting = 'key';
    return beginGathering('text', at);
  }

  function beginGathering(kind: NonNullable<typeof gathering>, at: number): number {
    gathering = kind;
    inside = newValueState();
    return gather(at, at);
  }

  function open(at: number, list: boolean): number {
    if (frames.length >= maxDepth) throw problem(`is nested deeper than ${maxDepth} levels`, at);
    frames.push({ list, keys: list ? undefined : new Set() });
    if (list) path.push(0);
    expecting = list ? 'first value' : 'first key';
    return at + 1;
  }

  /** Continues the current value from `at`; it begins in this chunk at `start`. */
  function gather(start: number, at: number): number {
    const end =
      gathering === 'bare' ? endOfLiteral(chunk, at) : endOfValue(chunk, at, inside, maxDepth - frames.length);
    if (end === NESTED_TOO_DEEPLY) throw problem(`is nested deeper than ${maxDepth} levels`, at);
    if (end === INCOMPLETE_VALUE) {
      beganAt ??= lineOf(start);
      appendPiece(chunk.subarray(start));
      return chunk.length;
    }
    gathering = undefined;
    const last = chunk.subarray(start, end);
    if (gathered + last.length > maxItem) throw tooLarge(start);
    const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
    const first = offset + start - gathered;
    pieces = [];
    gathered = 0;
    const value = parse(bytes, start);
    earlier = beganAt && { at: first, position: beganAt };
    beganAt = undefined;
    finish(value, end, first);
    return end;
  }

  function appendPiece(piece: Buffer): void {
    gathered += piece.length;
    if (gathered > maxItem) throw tooLarge(chunk.length);
    // A copy, since the caller may reuse the memory of the chunk.
    pieces.push(Buffer.from(piece));
  }

  const tooLarge = (at: number) => problem(`is larger than ${Math.round(maxItem / 1_000_000)} MB`, at);

  /**
   * Parses the bytes of a value, which begins in this chunk at `start` or in an earlier one. Throws JsonProblem if
   * invalid.
   */
  function parse(bytes: Buffer, start: number): unknown {
    if (!isUtf8(bytes)) {
      throw problemInValue(
        'is not encoded in UTF-8',
        bytes.subarray(0, firstInvalidUtf8(bytes)).toString('utf8'),
        start,
      );
    }
    const text = bytes.toString('utf8');
    try {
      return JSON.parse(text);
    } catch {
      const { isCut, at } = findSyntaxError(text);
      // A literal or number before other text is not truncated but invalid from its beginning.
      const isComplete = gathering === undefined && !/^["[{]/.test(text);
      if (isComplete) throw problemInValue('is not JSON', '', start);
      throw problemInValue(isCut ? cutOff : 'is not JSON', text.slice(0, at), start);
    }
  }

  /** Creates a problem at the end of `upTo`, a prefix of the current value. */
  function problemInValue(reason: string, upTo: string, start: number): JsonProblem {
    const [line, column] = beganAt ?? lineOf(start);
    return new JsonProblem(reason, formatJsonPath(path), ...positionAfter(line, column, upTo));
  }

  function finish(value: unknown, end: number, at: number): void {
    if (expecting === 'key') {
      const { keys } = frames.at(-1) as Frame;
      const key = value as string;
      if (keys && keys.size > 100_000) throw problem('has more than 100 000 keys in one object', end);
      if (keys?.has(key)) throw problem(`contains the key ${JSON.stringify(key.slice(0, 100))} twice`, end);
      keys?.add(key);
      path.push(key);
      expecting = 'colon';
      return;
    }
    found.push({ path: path.slice(), value, at });
    expecting = frames.length === 0 ? 'nothing' : 'comma';
  }

  return {
    write,
    isDone: () => expecting === 'nothing',
    positionOf: (at) => (at >= offset ? lineOf(at - offset) : earlier?.at === at ? earlier.position : undefined),
    end() {
      found = [];
      advance(Buffer.alloc(0));
      // A number may end with the document.
      if (gathering !== undefined) {
        // An incomplete value may have ended too late; the error is then at its expected end.
        const at = offset - gathered;
        const value = parse(Buffer.concat(pieces), 0);
        earlier = beganAt && { at, position: beganAt };
        gathering = undefined;
        finish(value, 0, at);
      }
      if (expecting === 'value' && frames.length === 0 && gathering === undefined) throw problem('is empty', 0);
      if (expecting !== 'nothing') throw problem(cutOff, 0);
      return found;
    },
  };
}

const cutOff = 'is truncated';

const nameOf = ({ list }: Frame) => (list ? 'list' : 'object');
