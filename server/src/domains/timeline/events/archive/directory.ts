import { ByteReader, ByteWriter, InvalidSegment } from './bytes.ts';
import { blockOfKey, type NewBlock, sha256 } from './layout.ts';
import { encodeList, forEachInList } from './lists.ts';

// A directory finds the list of a key. Its blocks contain ascending keys with their lists, so that a lookup reads one
// small block. Longer lists are blocks of their own. A key with a single event, as most terms have, takes a few bytes.

const MAX_INLINE_BYTES = 256;
const BLOCK_BYTES = 4096;

/** The ordinals of a key, ascending. */
export interface KeyedList {
  key: number;
  ordinals: Uint16Array;
}

/** The blocks of longer lists, which directories of a segment share; equal ones once. */
export class LongerLists {
  readonly blocks: NewBlock[] = [];
  readonly #places = new Map<string, number>();

  placeOf(list: Uint8Array): number {
    const digest = sha256(list).toString('latin1');
    const known = this.#places.get(digest);
    if (known !== undefined) return known;
    this.#places.set(digest, this.blocks.length);
    return this.blocks.push({ bytes: list, key: 0 }) - 1;
  }
}

export class DirectoryWriter {
  readonly #blocks: NewBlock[] = [];
  readonly #events: number;
  readonly #longer: LongerLists;
  #parts = newParts();
  #first = 0;
  #before = 0;
  #count = 0;

  constructor(events: number, longer: LongerLists) {
    this.#events = events;
    this.#longer = longer;
  }

  /** Adds the list of the next key. */
  add({ key, ordinals }: KeyedList): void {
    const { keys, heads, content } = this.#parts;
    if (this.#count === 0) this.#first = key;
    else keys.varint(key - this.#before);
    this.#before = key;
    this.#count += 1;
    const [only = 0] = ordinals;
    if (ordinals.length === 1) {
      heads.varint(0);
      content.uint16(only);
    } else {
      const list = encodeList(ordinals, this.#events);
      if (list.length <= MAX_INLINE_BYTES) {
        heads.varint(list.length * 2);
        content.bytes(list);
      } else heads.varint(this.#longer.placeOf(list) * 2 + 1);
    }
    if (keys.length + heads.length + content.length >= BLOCK_BYTES) this.#endBlock();
  }

  finish(): NewBlock[] {
    this.#endBlock();
    return this.#blocks;
  }

  #endBlock(): void {
    if (this.#count === 0) return;
    const block = new ByteWriter(BLOCK_BYTES + 2 * MAX_INLINE_BYTES);
    block.varint(this.#count);
    for (const part of Object.values(this.#parts)) block.bytes(part.finish());
    this.#blocks.push({ bytes: block.finish(), key: this.#first });
    this.#parts = newParts();
    this.#count = 0;
  }
}

/** The parts of a block, in their order. */
const newParts = () => ({ keys: new ByteWriter(), heads: new ByteWriter(), content: new ByteWriter() });

export interface DirectoryBlock {
  keys: Float64Array;
  /** 0 for a single ordinal; the doubled length of a list; or one more than the doubled number of its block. */
  heads: Uint32Array;
  /** Where the content of each key starts. */
  starts: Uint32Array;
  content: Uint8Array;
}

/** Reads a block that starts with the key `first`; there are `lists` blocks of longer lists. */
export function decodeDirectory(block: Uint8Array, first: number, lists: number): DirectoryBlock {
  const reader = new ByteReader(block);
  // Each key takes at least a byte.
  const count = reader.varint(block.length);
  if (count === 0) throw new InvalidSegment('A block of the directory is empty.');
  const keys = new Float64Array(count);
  keys[0] = first;
  for (let place = 1; place < count; place += 1) {
    const distance = reader.varint();
    keys[place] = (keys[place - 1] ?? 0) + distance;
    if (distance === 0 || !Number.isSafeInteger(keys[place]))
      throw new InvalidSegment('The directory is not in order.');
  }
  const heads = new Uint32Array(count);
  const starts = new Uint32Array(count);
  let length = 0;
  for (let place = 0; place < count; place += 1) {
    const head = reader.varint(2 * MAX_INLINE_BYTES + 2 * lists + 1);
    const isLonger = head % 2 === 1;
    if (isLonger ? head >= lists * 2 : head > 2 * MAX_INLINE_BYTES)
      throw new InvalidSegment('The directory refers to a missing list.');
    heads[place] = head;
    starts[place] = length;
    length += isLonger ? 0 : head === 0 ? 2 : head / 2;
  }
  const content = reader.bytes(length);
  reader.finish();
  return { keys, heads, starts, content };
}

/** The position of a key; undefined if the block does not contain it. */
export function placeInDirectory({ keys }: DirectoryBlock, key: number): number | undefined {
  const place = blockOfKey(keys, key);
  return place >= 0 && keys[place] === key ? place : undefined;
}

/** The block of the list of a key; undefined if the directory contains the list. */
export function longerListOf({ heads }: DirectoryBlock, place: number): number | undefined {
  const head = heads[place] ?? 0;
  return head % 2 === 1 ? (head - 1) / 2 : undefined;
}

/** The list of a key that the directory contains: its single ordinal, or its encoded list. */
function inlineListOf({ heads, starts, content }: DirectoryBlock, place: number): number | Uint8Array {
  const [head, start] = [heads[place] ?? 0, starts[place] ?? 0];
  if (head > 0) return content.subarray(start, start + head / 2);
  return (content[start] ?? 0) + (content[start + 1] ?? 0) * 0x100;
}

/** Visits the ordinals of a key whose list the directory contains. */
export function forEachInlineOrdinal(
  block: DirectoryBlock,
  place: number,
  events: number,
  visit: (ordinal: number) => void,
): void {
  const list = inlineListOf(block, place);
  if (typeof list !== 'number') forEachInList(list, events, visit);
  else if (list < events) visit(list);
  else throw new InvalidSegment('The directory has too large ordinals.');
}
