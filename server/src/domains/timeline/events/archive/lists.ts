import { ByteReader, ByteWriter, InvalidSegment } from './bytes.ts';
import { addOrdinal, addRange, emptySet, type OrdinalSet, ordinalsIn } from './ordinals.ts';

/** How a list is written: the distances of its ordinals, lengths of runs, or one bit per event; the shortest is used. */
const encodings = { gaps: 0, runs: 1, bits: 2 } as const;

/** Writes ascending ordinals of a segment with this number of events. */
export function encodeList(ordinals: Uint16Array, events: number): Uint8Array {
  const bits = Math.ceil(events / 8);
  const gaps = encodeGaps(ordinals, bits);
  const runs = encodeRuns(ordinals, gaps?.length ?? bits);
  const shortest = runs ?? gaps;
  if (shortest && shortest.length <= bits) return shortest;
  const set = emptySet(events);
  for (const ordinal of ordinals) addOrdinal(set, ordinal);
  const list = new Uint8Array(1 + bits);
  list[0] = encodings.bits;
  list.set(new Uint8Array(set.buffer, 0, bits), 1);
  return list;
}

/** Undefined if longer than `most`. */
function encodeGaps(ordinals: Uint16Array, most: number): Uint8Array | undefined {
  const writer = new ByteWriter(Math.min(2 * ordinals.length + 16, most + 16));
  writer.byte(encodings.gaps);
  let next = 0;
  for (const ordinal of ordinals) {
    writer.varint(ordinal - next);
    next = ordinal + 1;
    if (writer.length > most) return undefined;
  }
  return writer.finish();
}

function encodeRuns(ordinals: Uint16Array, most: number): Uint8Array | undefined {
  const writer = new ByteWriter(Math.min(2 * ordinals.length + 16, most + 16));
  writer.byte(encodings.runs);
  let next = 0;
  for (let place = 0; place < ordinals.length && writer.length < most; ) {
    const first = ordinals[place] ?? 0;
    let end = first + 1;
    place += 1;
    while (ordinals[place] === end) {
      end += 1;
      place += 1;
    }
    writer.varint(first - next);
    writer.varint(end - first - 1);
    next = end;
  }
  return writer.length < most ? writer.finish() : undefined;
}

/** Adds the ordinals of an encoded list to a set of a segment with this number of events. */
export function addList(set: OrdinalSet, list: Uint8Array, events: number): void {
  switch (list[0]) {
    case encodings.gaps:
      forEachGap(list, events, (ordinal) => addOrdinal(set, ordinal));
      break;
    case encodings.runs:
      addRuns(set, list, events);
      break;
    case encodings.bits:
      addBits(set, list, events);
      break;
    default:
      throw new InvalidSegment('A list of the segment has an unknown form.');
  }
}

/** Visits the ordinals of an encoded list in ascending order. */
export function forEachInList(list: Uint8Array, events: number, visit: (ordinal: number) => void): void {
  if (list[0] === encodings.gaps) {
    forEachGap(list, events, visit);
    return;
  }
  const set = emptySet(events);
  addList(set, list, events);
  for (const ordinal of ordinalsIn(set)) visit(ordinal);
}

// Written out, since frequent terms have tens of thousands of entries.
function forEachGap(list: Uint8Array, events: number, visit: (ordinal: number) => void): void {
  let ordinal = -1;
  for (let at = 1; at < list.length; ) {
    let byte = list[at++] ?? 0;
    let gap = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      if (at >= list.length || shift > 14) throw new InvalidSegment('A list of the segment is damaged.');
      byte = list[at++] ?? 0;
      gap |= (byte & 0x7f) << shift;
    }
    ordinal += gap + 1;
    if (ordinal >= events) throw new InvalidSegment('A list of the segment has too large ordinals.');
    visit(ordinal);
  }
}

function addRuns(set: OrdinalSet, list: Uint8Array, events: number): void {
  const reader = new ByteReader(list, 1);
  let next = 0;
  while (!reader.isAtEnd) {
    const from = next + reader.varint(events);
    next = from + reader.varint(events) + 1;
    if (next > events) throw new InvalidSegment('A list of the segment has too large ordinals.');
    addRange(set, from, next);
  }
}

function addBits(set: OrdinalSet, list: Uint8Array, events: number): void {
  const bits = Math.ceil(events / 8);
  const isLastTooLarge = events % 8 > 0 && (list[bits] ?? 0) >>> (events % 8) > 0;
  if (list.length !== 1 + bits || isLastTooLarge) throw new InvalidSegment('A list of the segment is damaged.');
  for (let place = 0; place < set.length; place += 1) {
    const at = 1 + place * 4;
    const word =
      (list[at] ?? 0) | ((list[at + 1] ?? 0) << 8) | ((list[at + 2] ?? 0) << 16) | ((list[at + 3] ?? 0) << 24);
    set[place] = (set[place] ?? 0) | word;
  }
}
