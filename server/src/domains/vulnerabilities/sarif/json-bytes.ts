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

/** Returns the end of a string, object or array that begins before or in this chunk. `inside` is its state so far. */
export function endOfValue(bytes: Buffer, from: number, inside: ValueState, maxDepth: number): number {
  const { quote, backslash, openObject, closeObject, openList, closeList } = jsonBytes;
  const { length } = bytes;
  // Local variables for speed: this loop reads every byte of the document.
  let { depth, inText, escaped } = inside;
  for (let i = from; i < length; i += 1) {
    const byte = bytes[i];
    if (inText) {
      if (escaped) escaped = false;
      else if (byte === backslash) escaped = true;
      else if (byte === quote) {
        inText = false;
        if (depth === 0) return i + 1;
      }
    } else if (byte === quote) inText = true;
    else if (byte === openObject || byte === openList) {
      depth += 1;
      if (depth > maxDepth) return NESTED_TOO_DEEPLY;
    } else if (byte === closeObject || byte === closeList) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  inside.depth = depth;
  inside.inText = inText;
  inside.escaped = escaped;
  return INCOMPLETE_VALUE;
}
