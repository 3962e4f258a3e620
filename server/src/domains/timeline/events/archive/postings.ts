import type { KeyedList } from './directory.ts';

// A segment has millions of pairs of key and event, so they are kept in plain arrays.

/** The events of keys as they are added, with ascending ordinals. */
export class SegmentPostings {
  readonly #places = new Map<number, number>();
  #keys = new Uint32Array(1 << 12);
  #ordinals = new Uint16Array(1 << 12);
  /** The last ordinal of each key. */
  #last = new Int32Array(1 << 10);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds an event to a key, once. */
  add(key: number, ordinal: number): void {
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.#places.size;
      this.#places.set(key, place);
      if (place === this.#last.length) this.#last = enlarged(this.#last, new Int32Array(place * 2));
      this.#last[place] = -1;
    }
    if (this.#last[place] === ordinal) return;
    this.#last[place] = ordinal;
    if (this.#length === this.#keys.length) {
      this.#keys = enlarged(this.#keys, new Uint32Array(this.#length * 2));
      this.#ordinals = enlarged(this.#ordinals, new Uint16Array(this.#length * 2));
    }
    this.#keys[this.#length] = place;
    this.#ordinals[this.#length] = ordinal;
    this.#length += 1;
  }

  /** The lists in the order of their keys. Each is a view that is valid until the next one. */
  *lists(): Generator<KeyedList, void> {
    const starts = new Uint32Array(this.#places.size + 1);
    for (let at = 0; at < this.#length; at += 1) {
      const next = (this.#keys[at] ?? 0) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
    }
    for (let place = 1; place < starts.length; place += 1)
      starts[place] = (starts[place] ?? 0) + (starts[place - 1] ?? 0);
    const sorted = new Uint16Array(this.#length);
    const next = starts.slice();
    for (let at = 0; at < this.#length; at += 1) {
      const place = this.#keys[at] ?? 0;
      const to = next[place] ?? 0;
      sorted[to] = this.#ordinals[at] ?? 0;
      next[place] = to + 1;
    }
    for (const key of Float64Array.from(this.#places.keys()).sort()) {
      const place = this.#places.get(key) ?? 0;
      yield { key, ordinals: sorted.subarray(starts[place], starts[place + 1]) };
    }
  }
}

function enlarged<Numbers extends Uint32Array | Uint16Array | Int32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
