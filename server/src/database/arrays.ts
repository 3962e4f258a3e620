// Arrays in the binary format of PostgreSQL parameters, for statements with hundreds of rows. As text, each value would be
// escaped here and parsed there character by character.

/** Encodes a `uuid[]` from UUIDs of 36 characters. */
export const uuidArray = (values: readonly (string | null)[]): Buffer =>
  arrayOf(2950, values, values.length * 16, putUuid);

/** Encodes a `text[]`. */
export function textArray(values: readonly string[]): Buffer {
  // A UTF-16 unit needs three bytes at most.
  const bytes = values.reduce((sum, value) => sum + value.length, 0) * 3;
  return arrayOf(25, values, bytes, putText);
}

/** Encodes an `int[]`. */
export const intArray = (values: readonly (number | null)[]): Buffer => arrayOf(23, values, values.length * 4, putInt);

/** Encodes a `bigint[]` from safe integers. */
export const bigintArray = (values: readonly (number | null)[]): Buffer =>
  arrayOf(20, values, values.length * 8, putBigint);

/** Encodes a `timestamptz[]` from RFC 3339 timestamps, to the millisecond. */
export const timeArray = (values: readonly string[]): Buffer => arrayOf(1184, values, values.length * 8, putTime);

/** Encodes a `bytea[]`. */
export function bytesArray(values: readonly Buffer[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + value.length, 0);
  return arrayOf(17, values, bytes, putBytes);
}

/**
 * Returns an array with the elements of `array` at `indexes`, from 0. Elements must be a multiple of four bytes and not
 * null.
 */
export function selectArrayElements(array: Buffer, indexes: readonly number[]): Buffer {
  if (indexes.length === 0) return Buffer.concat([Buffer.alloc(8), array.subarray(8, 12)]);
  const words = new Int32Array(array.buffer, array.byteOffset, array.length / 4);
  const header = headerSize / 4;
  // The header contains the number of elements.
  const perElement = (words.length - header) / array.readInt32BE(12);
  const selected = new Int32Array(header + indexes.length * perElement);
  selected.set(words.subarray(0, header));
  let at = header;
  for (const index of indexes) {
    const from = header + index * perElement;
    for (let word = 0; word < perElement; word += 1) selected[at + word] = words[from + word] ?? 0;
    at += perElement;
  }
  const elements = Buffer.from(selected.buffer);
  elements.writeInt32BE(indexes.length, 12);
  return elements;
}

/** Writes a value to the scratch buffer at an offset. Returns its number of bytes. */
type Put<Value> = (value: Value, at: number) => number;

/** `type` is the OID of the element type in PostgreSQL, `bytes` the maximum size of the values. */
function arrayOf<Value>(type: number, values: readonly (Value | null)[], bytes: number, put: Put<Value>): Buffer {
  ensureSize(headerSize + values.length * 4 + bytes);
  view.setInt32(0, values.length === 0 ? 0 : 1);
  view.setInt32(4, values.includes(null) ? 1 : 0);
  view.setInt32(8, type);
  if (values.length === 0) return copyScratch(12);
  view.setInt32(12, values.length);
  view.setInt32(16, 1);
  let at = headerSize;
  for (const value of values) {
    const size = value === null ? 0 : put(value, at + 4);
    view.setInt32(at, value === null ? -1 : size);
    at += 4 + size;
  }
  return copyScratch(at);
}

const headerSize = 20;
// Each call writes to it and copies from it.
let scratch = Buffer.from(new ArrayBuffer(1 << 16));
let view = new DataView(scratch.buffer);

function ensureSize(size: number): void {
  if (scratch.length >= size) return;
  scratch = Buffer.from(new ArrayBuffer(2 ** Math.ceil(Math.log2(size))));
  view = new DataView(scratch.buffer);
}

// Copies to its own memory and not to a pool at any offset: `selectArrayElements` reads it in units of four bytes.
const copyScratch = (size: number): Buffer => Buffer.from(scratch.buffer.slice(0, size));

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
