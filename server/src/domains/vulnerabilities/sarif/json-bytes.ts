/** The structural characters of JSON. */
export const jsonBytes = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  colon: 0x3a,
  openObject: 0x7b,
  closeObject: 0x7d,
  openList: 0x5b,
  closeList: 0x5d,
  minus: 0x2d,
  zero: 0x30,
  nine: 0x39,
} as const;

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Returns the position of the next byte that is no white space. */
export function endOfWhiteSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at] as number)) at += 1;
  return at;
}

/** The state within a value at the end of a chunk. */
export interface ValueState {
  depth: number;
  inText: boolean;
  escaped: boolean;
}

export const newValueState = (): ValueState => ({ depth: 0, inText: false, escaped: false });

/** Returned instead of an end: the value continues after this chunk, or is nested too deeply. */
export const INCOMPLETE_VALUE = -1;
export const NESTED_TOO_DEEPLY = -2;

/** Returns the end of a number or literal. */
export function endOfLiteral(bytes: Buffer, from: number): number {
  for (let i = from; i < bytes.length; i += 1) {
    const byte = bytes[i] as number;
    if (byte === jsonBytes.comma || byte === jsonBytes.closeObject || byte === jsonBytes.closeList || isSpace(byte))
      return i;
  }
  return INCOMPLETE_VALUE;
}

/** What a byte outside of strings does to the nesting of a value. */
const OPENS = 1;
const CLOSES = 2;
const QUOTES = 3;
const structureOf = new Uint8Array(256);
structureOf[jsonBytes.openObject] = OPENS;
structureOf[jsonBytes.openList] = OPENS;
structureOf[jsonBytes.closeObject] = CLOSES;
structureOf[jsonBytes.closeList] = CLOSES;
structureOf[jsonBytes.quote] = QUOTES;

/** Returns the end of a string, object or array that begins before or in this chunk. `inside` is its state so far. */
export function endOfValue(bytes: Buffer, from: number, inside: ValueState, maxDepth: number): number {
  let at = from;
  while (at < bytes.length) {
    at = inside.inText ? endOfText(bytes, at, inside) : endOfStructure(bytes, at, inside);
    if (at === INCOMPLETE_VALUE) return INCOMPLETE_VALUE;
    if (inside.depth > maxDepth) return NESTED_TOO_DEEPLY;
    if (inside.depth === 0 && !inside.inText) return at;
  }
  return INCOMPLETE_VALUE;
}

/** Returns the position after the next bracket or quotation mark. */
function endOfStructure(bytes: Buffer, from: number, inside: ValueState): number {
  for (let i = from; i < bytes.length; i += 1) {
    const structure = structureOf[bytes[i] as number];
    if (structure === 0) continue;
    if (structure === OPENS) inside.depth += 1;
    else if (structure === CLOSES) inside.depth -= 1;
    else inside.inText = true;
    return i + 1;
  }
  return INCOMPLETE_VALUE;
}

/** Returns the position after the quotation mark that ends the string. */
function endOfText(bytes: Buffer, from: number, inside: ValueState): number {
  // Local variables for speed: this loop reads nearly every byte of the document.
  const { backslash, quote } = jsonBytes;
  let { escaped } = inside;
  for (let i = from; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (escaped) escaped = false;
    else if (byte === backslash) escaped = true;
    else if (byte === quote) {
      inside.inText = false;
      inside.escaped = false;
      return i + 1;
    }
  }
  inside.escaped = escaped;
  return INCOMPLETE_VALUE;
}
