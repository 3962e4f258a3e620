/**
 * Arrays as PostgreSQL reads them in a binary parameter, for statements of hundreds of rows. Written as text, each value
 * would be escaped here, and looked at letter by letter and parsed there.
 */

/** For a `uuid[]`, in the usual form of 36 letters. */
export const uuidArray = (values: readonly (string | null)[]): Buffer =>
  arrayOf(2950, values, values.length * 16, putUuid);

/** For a `text[]` or `json[]`. */
export function textArray(values: readonly string[], type: 'text' | 'json' = 'text'): Buffer {
  // A UTF-16 unit takes three bytes at most.
  const bytes = values.reduce((sum, value) => sum + value.length, 0) * 3;
  return arrayOf(type === 'text' ? 25 : 114, values, bytes, putText);
}

/** For an `int[]`. */
export const intArray = (values: readonly (number | null)[]): Buffer => arrayOf(23, values, values.length * 4, putInt);

/** For a `bigint[]`, of safe integers. */
export const bigintArray = (values: readonly (number | null)[]): Buffer =>
  arrayOf(20, values, values.length * 8, putBigint);

/** For a `timestamptz[]`, from RFC 3339 to the millisecond. */
export const timeArray = (values: readonly string[]): Buffer => arrayOf(1184, values, values.length * 8, putTime);

/** For a `bytea[]`. */
export function bytesArray(values: readonly Buffer[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + value.length, 0);
  return arrayOf(17, values, bytes, putBytes);
}

/** The array of those elements of `array` that stand at `places`, from 0; for one whose elements take four bytes or a multiple, without nulls. */
export function elementsOf(array: Buffer, places: readonly number[]): Buffer {
  if (places.length === 0) return Buffer.concat([Buffer.alloc(8), array.subarray(8, 12)]);
  const words = new Int32Array(array.buffer, array.byteOffset, array.length / 4);
  const header = headerSize / 4;
  // The header says how many there are.
  const perElement = (words.length - header) / array.readInt32BE(12);
  const picked = new Int32Array(header + places.length * perElement);
  picked.set(words.subarray(0, header));
  let at = header;
  for (const place of places) {
    const from = header + place * perElement;
    for (let word = 0; word < perElement; word += 1) picked[at + word] = words[from + word] ?? 0;
    at += perElement;
  }
  const elements = Buffer.from(picked.buffer);
  elements.writeInt32BE(places.length, 12);
  return elements;
}

/** Writes a value from a place of the scratch on; answers how many bytes it took. */
type Put<Value> = (value: Value, at: number) => number;

/** `type` is the id of the elements' type in PostgreSQL's catalog, `bytes` how many the values take at most. */
function arrayOf<Value>(type: number, values: readonly (Value | null)[], bytes: number, put: Put<Value>): Buffer {
  ensureSize(headerSize + values.length * 4 + bytes);
  view.setInt32(0, values.length === 0 ? 0 : 1);
  view.setInt32(4, values.includes(null) ? 1 : 0);
  view.setInt32(8, type);
  if (values.length === 0) return copied(12);
  view.setInt32(12, values.length);
  view.setInt32(16, 1);
  let at = headerSize;
  for (const value of values) {
    const size = value === null ? 0 : put(value, at + 4);
    view.setInt32(at, value === null ? -1 : size);
    at += 4 + size;
  }
  return copied(at);
}

const headerSize = 20;
// Written to and copied from within one call.
let scratch = Buffer.from(new ArrayBuffer(1 << 16));
let view = new DataView(scratch.buffer);

function ensureSize(size: number): void {
  if (scratch.length >= size) return;
  scratch = Buffer.from(new ArrayBuffer(2 ** Math.ceil(Math.log2(size))));
  view = new DataView(scratch.buffer);
}

// In memory of its own, and not in a pool at any place: `elementsOf` reads it by four bytes.
const copied = (size: number): Buffer => Buffer.from(scratch.buffer.slice(0, size));

const putText: Put<string> = (value, at) => scratch.write(value, at);
const putBytes: Put<Buffer> = (value, at) => value.copy(scratch, at);

const putInt: Put<number> = (value, at) => {
  view.setInt32(at, value);
  return 4;
};

const putBigint: Put<number> = (value, at) => {
  view.setInt32(at, Math.floor(value / 2 ** 32));
  view.setUint32(at + 4, value);
  return 8;
};

// PostgreSQL counts microseconds from the year 2000.
const epoch = Date.UTC(2000, 0, 1);
const putTime: Put<string> = (value, at) => {
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw new Error(`Not a time: ${value}`);
  return putBigint((time - epoch) * 1000, at);
};

const dash = 45;
const putUuid: Put<string> = (value, at) => {
  let digits = 0;
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if (code === dash) continue;
    const digit = hexDigits[code] ?? -1;
    if (digit < 0 || digits === 32) throw new Error(`Not a uuid: ${value}`);
    const byte = at + (digits >> 1);
    scratch[byte] = digits % 2 === 0 ? digit << 4 : (scratch[byte] ?? 0) | digit;
    digits += 1;
  }
  if (digits !== 32) throw new Error(`Not a uuid: ${value}`);
  return 16;
};

const hexDigits = new Int8Array(128).map((_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);
