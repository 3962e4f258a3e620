// Sets of ordinals, the positions of events in their segment from 0. A segment has at most 65,536 events, so a set is at
// most 8 kB, and each operation takes microseconds.

/** One bit per event, the lowest first. Bits beyond the number of events are 0. */
export type OrdinalSet = Uint32Array;

export const emptySet = (events: number): OrdinalSet => new Uint32Array(Math.ceil(events / 32));

export const fullSet = (events: number): OrdinalSet => complementOf(emptySet(events), events);

export function complementOf(set: OrdinalSet, events: number): OrdinalSet {
  const other = set.map((word) => ~word);
  const rest = events % 32;
  if (rest > 0) other[other.length - 1] = (other.at(-1) ?? 0) & ((1 << rest) - 1);
  return other;
}

/** Adds the ordinals from `from` to `to`, the end excluded. */
export function addRange(set: OrdinalSet, from: number, to: number): void {
  if (from >= to) return;
  const [first, last] = [from >>> 5, (to - 1) >>> 5];
  const head = -1 << (from & 31);
  const tail = -1 >>> (31 - ((to - 1) & 31));
  if (first === last) {
    set[first] = (set[first] ?? 0) | (head & tail);
    return;
  }
  set[first] = (set[first] ?? 0) | head;
  set.fill(-1, first + 1, last);
  set[last] = (set[last] ?? 0) | tail;
}

export function rangeSet(events: number, from: number, to: number): OrdinalSet {
  const set = emptySet(events);
  addRange(set, from, to);
  return set;
}

export function addOrdinal(set: OrdinalSet, ordinal: number): void {
  set[ordinal >>> 5] = (set[ordinal >>> 5] ?? 0) | (1 << (ordinal & 31));
}

export const holds = (set: OrdinalSet, ordinal: number): boolean =>
  (((set[ordinal >>> 5] ?? 0) >>> (ordinal & 31)) & 1) === 1;

// Loops, because a call per word costs several times the operation.
export const unionOf = (one: OrdinalSet, other: OrdinalSet): OrdinalSet => {
  const set = one.slice();
  for (let place = 0; place < set.length; place += 1) set[place] = (set[place] ?? 0) | (other[place] ?? 0);
  return set;
};

export const intersectionOf = (one: OrdinalSet, other: OrdinalSet): OrdinalSet => {
  const set = one.slice();
  for (let place = 0; place < set.length; place += 1) set[place] = (set[place] ?? 0) & (other[place] ?? 0);
  return set;
};

export const differenceOf = (one: OrdinalSet, other: OrdinalSet): OrdinalSet => {
  const set = one.slice();
  for (let place = 0; place < set.length; place += 1) set[place] = (set[place] ?? 0) & ~(other[place] ?? 0);
  return set;
};

export const isEmpty = (set: OrdinalSet): boolean => set.every((word) => word === 0);

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The number of ordinals of a set from `from` to `to`, the end excluded; only those that `other` contains too. */
export function countIn(set: OrdinalSet, from: number, to: number, other?: OrdinalSet): number {
  if (from >= to) return 0;
  const [first, last] = [from >>> 5, (to - 1) >>> 5];
  let count = 0;
  for (let place = first; place <= last; place += 1) {
    let word = set[place] ?? 0;
    if (other) word &= other[place] ?? 0;
    if (word === 0) continue;
    if (place === first) word &= -1 << (from & 31);
    if (place === last) word &= -1 >>> (31 - ((to - 1) & 31));
    count += bitsIn(word);
  }
  return count;
}

/** Visits the ordinals of a set from `from` to `to`, the end excluded, in ascending order: faster than the generator. */
export function forEachOrdinal(set: OrdinalSet, from: number, to: number, visit: (ordinal: number) => void): void {
  for (let place = from >>> 5; place * 32 < to; place += 1) {
    for (let word = set[place] ?? 0; word !== 0; word &= word - 1) {
      const ordinal = place * 32 + 31 - Math.clz32(word & -word);
      if (ordinal >= to) return;
      if (ordinal >= from) visit(ordinal);
    }
  }
}

/** The ordinals of a set from `from` to `to`, the end excluded, in ascending order. */
export function* ordinalsIn(set: OrdinalSet, from = 0, to = set.length * 32): Generator<number, void> {
  for (let place = from >>> 5; place * 32 < to; place += 1) {
    for (let word = set[place] ?? 0; word !== 0; word &= word - 1) {
      const ordinal = place * 32 + 31 - Math.clz32(word & -word);
      if (ordinal >= to) return;
      if (ordinal >= from) yield ordinal;
    }
  }
}

/** The same in descending order. */
export function* ordinalsDown(set: OrdinalSet, from = 0, to = set.length * 32): Generator<number, void> {
  for (let place = (to - 1) >> 5; place >= from >>> 5; place -= 1) {
    for (let word = set[place] ?? 0; word !== 0; ) {
      const bit = 31 - Math.clz32(word);
      word ^= 1 << bit;
      const ordinal = place * 32 + bit;
      if (ordinal < from) return;
      if (ordinal < to) yield ordinal;
    }
  }
}
