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
    return before;
  });
  reader.finish();
  return received;
}

/** Columns of events as codes: 0 for null, otherwise 1 more than the position in the names of the segment. */
export interface ColumnCodes {
  kind: Uint32Array;
  source: Uint32Array;
  actor: Uint32Array;
  repo: Uint32Array;
  /** 0 for null; otherwise `codeOfNumber`. */
  pr: Float64Array;
}

export const codeOfNumber = (value: number): number => (value < 0 ? -value * 2 : value * 2 + 1);
export const numberOfCode = (code: number): number => (code % 2 === 0 ? -code / 2 : (code - 1) / 2);
const MAX_NUMBER_CODE = 2 ** 33;

const codeColumns = ['kind', 'source', 'actor', 'repo', 'pr'] as const;

export function encodeColumns(codes: Readonly<Record<keyof ColumnCodes, readonly number[]>>): Uint8Array {
  const writer = new ByteWriter(codes.kind.length * 6);
  for (const column of codeColumns) for (const code of codes[column]) writer.varint(code);
  return writer.finish();
}

/** The codes of a block; `most` is the largest valid code of each column but the last. */
export function decodeColumns(
  block: Uint8Array,
  count: number,
  most: Readonly<Record<'kind' | 'source' | 'actor' | 'repo', number>>,
): ColumnCodes {
  const reader = new ByteReader(block);
  const codes = (column: keyof typeof most) => new Uint32Array(count).map(() => reader.varint(most[column]));
  const columns = { kind: codes('kind'), source: codes('source'), actor: codes('actor'), repo: codes('repo') };
  const pr = new Float64Array(count).map(() => reader.varint(MAX_NUMBER_CODE));
  reader.finish();
  if (columns.kind.includes(0) || columns.source.includes(0))
    throw new InvalidSegment('An event of the segment has no kind or no source.');
  return { ...columns, pr };
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
