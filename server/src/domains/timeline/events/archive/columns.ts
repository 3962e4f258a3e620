import { ByteReader, ByteWriter, InvalidSegment } from './bytes.ts';
import { UUID_BYTES, uuidAt, uuidBytes } from './uuids.ts';

/** The number of events per block of each section with a fixed one. */
export const eventsPerBlock = {
  ids: 128,
  idIndex: 512,
  leaves: 256,
  times: 1024,
  received: 1024,
  proofs: 1024,
  columns: 4096,
} as const;
export const LEAF_BYTES = 32;

/** Times are ascending, and the first of a block is its key. */
export function encodeTimes(times: readonly number[]): Uint8Array {
  const writer = new ByteWriter(times.length * 4);
  for (let place = 1; place < times.length; place += 1) writer.varint((times[place] ?? 0) - (times[place - 1] ?? 0));
  return writer.finish();
}

export function decodeTimes(block: Uint8Array, first: number, count: number): Float64Array {
  const reader = new ByteReader(block);
  const times = new Float64Array(count);
  let time = first;
  times[0] = time;
  for (let place = 1; place < count; place += 1) {
    time += reader.varint();
    times[place] = time;
  }
  reader.finish();
  if (!Number.isSafeInteger(time)) throw new InvalidSegment('A time of the segment is too large.');
  return times;
}

/** Times of receipt, as distances from the times of the events, or from each other if those are shorter. */
export function encodeReceived(received: readonly number[], times: readonly number[]): Uint8Array {
  const [own, chained] = [new ByteWriter(), new ByteWriter()];
  own.byte(0);
  chained.byte(1);
  let before = times[0] ?? 0;
  received.forEach((time, place) => {
    own.signed(time - (times[place] ?? 0));
    chained.signed(time - before);
    before = time;
  });
  return (chained.length < own.length ? chained : own).finish();
}

export function decodeReceived(block: Uint8Array, times: Float64Array): Float64Array {
  const reader = new ByteReader(block);
  const isChained = reader.byte() === 1;
  let before = times[0] ?? 0;
  const received = times.map((time) => {
    before = (isChained ? before : time) + reader.signed();
    if (!Number.isSafeInteger(before)) throw new InvalidSegment('A time of the segment is too large.');
    return before;
  });
  reader.finish();
  return received;
}

/**
 * The columns of the events of a block. The code of a value is 0 for null, otherwise 1 more than its position in the names
 * of the segment, or `codeOfNumber`.
 */
export interface ColumnCodes extends Record<CodeColumn, (place: number) => number> {
  /** The size of the block. */
  bytes: number;
}

const codeColumns = ['kind', 'source', 'actor', 'repo', 'pr'] as const;
type CodeColumn = (typeof codeColumns)[number];

export const codeOfNumber = (value: number): number => (value < 0 ? -value * 2 : value * 2 + 1);
export const numberOfCode = (code: number): number => (code % 2 === 0 ? -code / 2 : (code - 1) / 2);
const MAX_CODE_BYTES = 5;

/**
 * Each column is as many bytes per code as the largest needs: the lowest byte of all codes, then the next. Such a column is
 * read at any place without decoding it, and compresses better than one of whole codes.
 */
export function encodeColumns(codes: Readonly<Record<CodeColumn, readonly number[]>>): Uint8Array {
  const writer = new ByteWriter(codes.kind.length * 8);
  for (const column of codeColumns) {
    const largest = codes[column].reduce((most, code) => Math.max(most, code), 0);
    const width = largest === 0 ? 0 : Math.floor(Math.log2(largest) / 8) + 1;
    writer.byte(width);
    for (let scale = 1; scale < 0x100 ** width; scale *= 0x100)
      for (const code of codes[column]) writer.byte(Math.floor(code / scale) % 0x100);
  }
  return writer.finish();
}

export function decodeColumns(block: Uint8Array, count: number): ColumnCodes {
  const reader = new ByteReader(block);
  const column = () => {
    const width = reader.byte();
    if (width > MAX_CODE_BYTES) throw new InvalidSegment('A column of the segment is too wide.');
    const content = reader.bytes(width * count);
    return (place: number) => {
      let code = 0;
      for (let at = (width - 1) * count + place; at >= 0; at -= count) code = code * 0x100 + (content[at] ?? 0);
      return code;
    };
  };
  const columns = { kind: column(), source: column(), actor: column(), repo: column(), pr: column() };
  reader.finish();
  return { ...columns, bytes: block.length };
}

export interface ProofCodes {
  /** 0 for events with a proof of their own; otherwise 1 more than the position of the proof. */
  codes: Uint32Array;
  proofs: readonly string[];
}

/** The entries that prove events; undefined for those with an entry of the same ID. */
export function encodeProofs(proofs: readonly (string | undefined)[]): Uint8Array {
  const places = new Map<string, number>();
  for (const proof of proofs) if (proof !== undefined && !places.has(proof)) places.set(proof, places.size + 1);
  const writer = new ByteWriter(places.size * UUID_BYTES + proofs.length * 2);
  writer.varint(places.size);
  for (const proof of places.keys()) writer.bytes(uuidBytes(proof));
  for (const proof of proofs) writer.varint(proof === undefined ? 0 : (places.get(proof) ?? 0));
  return writer.finish();
}

export function decodeProofs(block: Uint8Array, count: number): ProofCodes {
  const reader = new ByteReader(block);
  const size = reader.varint(count);
  const known = reader.bytes(size * UUID_BYTES);
  const codes = new Uint32Array(count).map(() => reader.varint(size));
  reader.finish();
  return { codes, proofs: Array.from({ length: size }, (_, place) => uuidAt(known, place)) };
}
