/** The characters that JSON is built of. */
export const code = {
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

/** Where something stands again that is no space. */
export function endOfSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at] as number)) at += 1;
  return at;
}

/** Where in a value a chunk ended. */
export interface Inside {
  depth: number;
  inText: boolean;
  escaped: boolean;
}

export const beginInside = (): Inside => ({ depth: 0, inText: false, escaped: false });

/** In place of the end of a value: it is not in this chunk, or the value is nested too deeply. */
export const goesOn = -1;
export const tooDeep = -2;

/** Where a number or a word ends. */
export function endOfBare(bytes: Buffer, from: number): number {
  for (let i = from; i < bytes.length; i += 1) {
    const byte = bytes[i] as number;
    if (byte === code.comma || byte === code.closeObject || byte === code.closeList || isSpace(byte)) return i;
  }
  return goesOn;
}

/** Where a text, an object or a list ends that has come as far as `inside`, which goes on with the chunk. */
export function endOfTree(bytes: Buffer, from: number, inside: Inside, deepest: number): number {
  const { quote, backslash, openObject, closeObject, openList, closeList } = code;
  const { length } = bytes;
  // Variables of this call: this loop sees every byte of the document.
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
      if (depth > deepest) return tooDeep;
    } else if (byte === closeObject || byte === closeList) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  inside.depth = depth;
  inside.inText = inText;
  inside.escaped = escaped;
  return goesOn;
}
