import { isUtf8 } from 'node:buffer';
import { JsonProblem, type Path, placeOf } from './json-place.ts';

export interface JsonItem {
  path: Path;
  value: unknown;
}

export interface JsonReader {
  /** The values that became complete with this piece of the document. Throws JsonProblem. */
  write: (chunk: Buffer) => JsonItem[];
  /** Whether its first value is complete. */
  isDone: () => boolean;
  /** Throws JsonProblem where the document is not complete. */
  end: () => void;
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

interface Frame {
  list: boolean;
  keys: Set<string> | undefined;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [minus, zero, nine] = [0x2d, 0x30, 0x39];
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** What may stand next. `first…` allows the end of the object or list that was just opened. */
type Expecting = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'nothing';

/**
 * Reads a JSON document piece by piece and answers the values its caller wants, with no more in memory than one of
 * them. What is between them is checked as strictly as what is answered: JSON.parse reads every value.
 */
export function createJsonReader(options: JsonReaderOptions): JsonReader {
  const { enter, part = false, maxItem = 10_000_000, maxDepth = 100 } = options;
  const frames: Frame[] = [];
  const path: (string | number)[] = [];
  let expecting: Expecting = 'value';
  // The value that is being gathered: its pieces of earlier chunks, and how deep inside of it we are.
  let gathering: 'text' | 'tree' | 'bare' | undefined;
  let pieces: Buffer[] = [];
  let gathered = 0;
  let depth = 0;
  let inText = false;
  let escaped = false;
  // Of the chunks before this one, to name a line and a column.
  let lines = 1;
  let lineStart = 0;
  let offset = 0;
  let chunk: Buffer = Buffer.alloc(0);
  let found: JsonItem[] = [];

  function problem(reason: string, at: number): JsonProblem {
    let [line, start] = [lines, lineStart];
    for (let i = chunk.indexOf(0x0a); i !== -1 && i < at; i = chunk.indexOf(0x0a, i + 1)) {
      line += 1;
      start = offset + i + 1;
    }
    return new JsonProblem(reason, placeOf(path), line, offset + at - start + 1);
  }

  function write(next: Buffer): JsonItem[] {
    chunk = next;
    found = [];
    let at = offset === 0 ? afterMark() : 0;
    while (at < chunk.length) at = gathering === undefined ? step(at) : gather(at, at);
    for (let i = chunk.indexOf(0x0a); i !== -1; i = chunk.indexOf(0x0a, i + 1)) {
      lines += 1;
      lineStart = offset + i + 1;
    }
    offset += chunk.length;
    return found;
  }

  /** Past a byte order mark; other encodings than UTF-8 begin otherwise. */
  function afterMark(): number {
    const [first, second, third] = chunk;
    if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0) {
      throw problem('is written in UTF-16 or UTF-32. JSON has to be UTF-8: save it as that', 0);
    }
    return first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  }

  /** One character between values. */
  function step(at: number): number {
    const byte = chunk[at] as number;
    if (isSpace(byte)) return at + 1;
    switch (expecting) {
      case 'first value':
        if (byte === closeList) return close(at);
        return begin(at, byte);
      case 'value':
        return begin(at, byte);
      case 'first key':
        if (byte === closeObject) return close(at);
        return beginKey(at, byte);
      case 'key':
        return beginKey(at, byte);
      case 'colon':
        if (byte !== colon) throw problem(`is no JSON: a colon is missing after the key`, at);
        expecting = 'value';
        return at + 1;
      case 'comma':
        return afterValue(at, byte);
      case 'nothing':
        if (part) return chunk.length;
        throw problem('goes on after its end', at);
    }
  }

  function afterValue(at: number, byte: number): number {
    const frame = frames.at(-1) as Frame;
    if (byte === (frame.list ? closeList : closeObject)) return close(at);
    if (byte !== comma) throw problem(`is no JSON: a comma or the end of the ${nameOf(frame)} is missing`, at);
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
    const isList = byte === openList;
    if (isList || byte === openObject) {
      return enter(path, isList, offset + at) ? open(at, isList) : beginGathering('tree', at);
    }
    if (byte === quote) return beginGathering('text', at);
    if (byte === minus || (byte >= zero && byte <= nine) || byte === 0x74 || byte === 0x66 || byte === 0x6e) {
      return beginGathering('bare', at);
    }
    throw problem('is no JSON: a value is missing', at);
  }

  function beginKey(at: number, byte: number): number {
    if (byte !== quote) throw problem('is no JSON: a key in quotation marks is missing', at);
    expecting = 'key';
    return beginGathering('text', at);
  }

  function beginGathering(kind: NonNullable<typeof gathering>, at: number): number {
    gathering = kind;
    depth = 0;
    inText = false;
    escaped = false;
    return gather(at, at);
  }

  function open(at: number, list: boolean): number {
    if (frames.length >= maxDepth) throw problem(`is nested deeper than ${maxDepth} levels`, at);
    frames.push({ list, keys: list ? undefined : new Set() });
    if (list) path.push(0);
    expecting = list ? 'first value' : 'first key';
    return at + 1;
  }

  /** Goes on in the value that is being gathered, from `at`; it begins in this chunk at `start`. */
  function gather(start: number, at: number): number {
    const end = gathering === 'bare' ? endOfBare(at) : endOfTree(at);
    if (end === -1) {
      hold(chunk.subarray(start));
      return chunk.length;
    }
    const kind = gathering;
    gathering = undefined;
    const last = chunk.subarray(start, end);
    if (gathered + last.length > maxItem) throw tooLarge(start);
    const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
    pieces = [];
    gathered = 0;
    finish(parse(bytes, end - bytes.length, kind === 'tree'), end);
    return end;
  }

  function hold(piece: Buffer): void {
    gathered += piece.length;
    if (gathered > maxItem) throw tooLarge(chunk.length);
    // A copy, since whoever sent the chunk may use its memory again.
    pieces.push(Buffer.from(piece));
  }

  const tooLarge = (at: number) => problem(`is larger than ${Math.round(maxItem / 1_000_000)} MB by itself`, at);

  function endOfBare(at: number): number {
    for (let i = at; i < chunk.length; i += 1) {
      const byte = chunk[i] as number;
      if (byte === comma || byte === closeObject || byte === closeList || isSpace(byte)) return i;
    }
    return -1;
  }

  function endOfTree(from: number): number {
    const bytes = chunk;
    const { length } = bytes;
    // Kept in variables of this call: this loop sees every byte of the document.
    let [text, skip, deep] = [inText, escaped, depth];
    for (let i = from; i < length; i += 1) {
      const byte = bytes[i];
      if (text) {
        if (skip) skip = false;
        else if (byte === backslash) skip = true;
        else if (byte === quote) {
          text = false;
          if (deep === 0) return i + 1;
        }
      } else if (byte === quote) text = true;
      else if (byte === openObject || byte === openList) {
        deep += 1;
        if (deep + frames.length > maxDepth) throw problem(`is nested deeper than ${maxDepth} levels`, i);
      } else if (byte === closeObject || byte === closeList) {
        deep -= 1;
        if (deep === 0) return i + 1;
      }
    }
    [inText, escaped, depth] = [text, skip, deep];
    return -1;
  }

  function parse(bytes: Buffer, start: number, isTree: boolean): unknown {
    if (!isUtf8(bytes)) throw problem('is not written in UTF-8', Math.max(0, start));
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch (error) {
      const within = Number(/at position (\d+)/.exec((error as Error).message)?.[1] ?? 0);
      const what = isTree ? '' : `, from ${JSON.stringify(bytes.subarray(0, 20).toString('utf8'))} on`;
      throw problem(`is no JSON${what}`, Math.max(0, start + within));
    }
  }

  function finish(value: unknown, end: number): void {
    if (expecting === 'key') {
      const { keys } = frames.at(-1) as Frame;
      const key = value as string;
      if (keys && keys.size > 100_000) throw problem('has more than 100 000 keys in one object', end);
      if (keys?.has(key)) throw problem(`has the key ${JSON.stringify(key.slice(0, 100))} twice`, end);
      keys?.add(key);
      path.push(key);
      expecting = 'colon';
      return;
    }
    found.push({ path: path.slice(), value });
    expecting = frames.length === 0 ? 'nothing' : 'comma';
  }

  return {
    write,
    isDone: () => expecting === 'nothing',
    end() {
      chunk = Buffer.alloc(0);
      // A number may end with the document.
      if (gathering === 'bare' && frames.length === 0) {
        gathering = undefined;
        const bytes = Buffer.concat(pieces);
        finish(parse(bytes, -bytes.length, false), 0);
      }
      if (expecting === 'value' && frames.length === 0 && gathering === undefined) throw problem('is empty', 0);
      if (expecting !== 'nothing' || gathering !== undefined) throw problem('ends in the middle: it was cut off', 0);
    },
  };
}

const nameOf = ({ list }: Frame) => (list ? 'list' : 'object');
