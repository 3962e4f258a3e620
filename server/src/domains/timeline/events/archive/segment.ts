import { InvalidSegment } from './bytes.ts';
import type { SegmentCache } from './cache.ts';
import {
  type ColumnCodes,
  decodeColumns,
  decodeProofs,
  decodeReceived,
  decodeTimes,
  eventsPerBlock,
  LEAF_BYTES,
  type ProofCodes,
} from './columns.ts';
import { type DirectoryBlock, decodeDirectory } from './directory.ts';
import {
  type BlockTable,
  blockOfKey,
  checkBlock,
  type ReadRange,
  readLayout,
  type SectionName,
  type SegmentLayout,
} from './layout.ts';
import { unpack } from './packing.ts';
import { decodeTexts, type TextBlock, textBlockLimits } from './texts.ts';
import { monthOf } from './times.ts';
import { UUID_BYTES, uuidAt } from './uuids.ts';

/** Where a segment is stored. */
export interface StoredSegment {
  /** Identifies the content in the cache. A segment with other content needs another key. */
  key: string;
  /** The number of bytes. */
  length: number;
  read: ReadRange;
  /** The digest that the segment must have; unknown for one that is restored from a file. */
  digest?: string | undefined;
}

/** The form in which the blocks of each section are used. */
export interface SectionContent {
  leaves: Uint8Array;
  proofs: ProofCodes;
  details: TextBlock;
  summaries: TextBlock;
  received: Float64Array;
  columns: ColumnCodes;
  ids: Uint8Array;
  lists: Uint8Array;
  terms: DirectoryBlock;
  values: DirectoryBlock;
  idIndex: Uint8Array;
  times: Float64Array;
  actors: readonly string[];
  repositories: readonly string[];
}

/** The sections whose blocks contain events by their ordinals. */
type EventSection = Exclude<keyof typeof eventsPerBlock, 'idIndex'> | 'summaries' | 'details';

/** Blocks that are at most this far apart are read together. */
const MAX_GAP_BYTES = 32 << 10;
const MAX_RANGE_BYTES = 1 << 20;

/** Opens a segment with one or two reads, or none if the cache contains its tables. Throws `InvalidSegment`. */
export async function openSegment(stored: StoredSegment, cache: SegmentCache): Promise<Segment> {
  const key = `${stored.key}/layout`;
  const layout =
    cache.get<SegmentLayout>(key) ??
    (await cache.once(key, async () => {
      const read = await readLayout(stored.read, stored.length);
      checkSections(read);
      cache.keep(key, read, read.bytes);
      return read;
    }));
  if (stored.digest !== undefined && stored.digest !== layout.digest)
    throw new InvalidSegment('The stored segment is not the one that was stored.');
  return new Segment(stored, layout, cache);
}

/** Throws unless the sections have the blocks that the number of events requires. */
function checkSections({ manifest, tables }: SegmentLayout): void {
  const { events, sections, first, last } = manifest;
  for (const [name, size] of Object.entries(eventsPerBlock)) {
    if (sections[name as SectionName].blocks !== Math.ceil(events / size))
      throw new InvalidSegment('A section of the segment has another number of blocks.');
  }
  for (const name of ['summaries', 'details'] as const) {
    const keys = tables.get(name)?.keys ?? new Float64Array();
    keys.forEach((key, place) => {
      const size = (keys[place + 1] ?? events) - key;
      if ((place === 0 && key !== 0) || size < 1 || size > textBlockLimits.events)
        throw new InvalidSegment('A block of texts has another number of texts.');
    });
    if (keys.length === 0) throw new InvalidSegment('The segment has no texts.');
  }
  if (sections.actors.blocks !== 1 || sections.repositories.blocks !== 1 || sections.values.blocks === 0)
    throw new InvalidSegment('A section of the segment has another number of blocks.');
  if (
    tables.get('times')?.keys[0] !== first.asOf ||
    last.asOf < first.asOf ||
    monthOf(last.asOf) !== monthOf(first.asOf)
  )
    throw new InvalidSegment('The segment does not have events of one month.');
}

/** An open segment, whose blocks are read when they are needed. */
export class Segment {
  readonly #stored: StoredSegment;
  readonly #layout: SegmentLayout;
  readonly #cache: SegmentCache;

  constructor(stored: StoredSegment, layout: SegmentLayout, cache: SegmentCache) {
    this.#stored = stored;
    this.#layout = layout;
    this.#cache = cache;
  }

  get manifest() {
    return this.#layout.manifest;
  }

  /** The number of events. */
  get events(): number {
    return this.manifest.events;
  }

  /** SHA-256 that covers the whole segment, hexadecimal. */
  get digest(): string {
    return this.#layout.digest;
  }

  /** The keys of the blocks of a section. */
  keysOf(section: SectionName): Float64Array {
    return this.#table(section).keys;
  }

  blockCountOf(section: SectionName): number {
    return this.#table(section).offsets.length - 1;
  }

  /** The blocks of a section, from the cache or with few reads of adjacent ones. */
  async blocks<Name extends SectionName>(
    section: Name,
    numbers: Iterable<number>,
  ): Promise<Map<number, SectionContent[Name]>> {
    const found = new Map<number, SectionContent[Name]>();
    const missing: number[] = [];
    for (const number of numbers) {
      if (found.has(number)) continue;
      const known = this.#cache.get<SectionContent[Name]>(this.#keyOf(section, number));
      if (known === undefined) missing.push(number);
      else found.set(number, known);
    }
    if (missing.length === 0) return found;
    // Times of receipt are stored relative to those of the events.
    const times = section === 'received' ? await this.blocks('times', missing) : undefined;
    const ranges = this.#rangesOf(
      section,
      [...new Set(missing)].sort((one, other) => one - other),
    );
    await Promise.all(
      ranges.map(async (range) => {
        for (const [number, bytes] of await this.#readRange(section, range)) {
          const content = this.#decode(section, number, { bytes, times });
          this.#cache.keep(this.#keyOf(section, number), content, decodedBytes(content, bytes.length));
          found.set(number, content);
        }
      }),
    );
    return found;
  }

  async block<Name extends SectionName>(section: Name, number: number): Promise<SectionContent[Name]> {
    const content = (await this.blocks(section, [number])).get(number);
    if (content === undefined) throw new InvalidSegment('The segment has no such block.');
    return content;
  }

  /** Reads the whole segment and throws unless all of it is intact and can be decoded. */
  async check(): Promise<void> {
    for (const name of this.#layout.tables.keys()) {
      const numbers = Array.from({ length: this.blockCountOf(name) }, (_, number) => number);
      const size = 64;
      for (let from = 0; from < numbers.length; from += size) await this.blocks(name, numbers.slice(from, from + size));
    }
  }

  #table(section: SectionName): BlockTable {
    const table = this.#layout.tables.get(section);
    if (!table) throw new InvalidSegment(`The segment has no section ${section}.`);
    return table;
  }

  #keyOf(section: SectionName, number: number): string {
    return `${this.#stored.key}/${section}/${number}`;
  }

  /** Groups ascending blocks into ranges to read. */
  #rangesOf(section: SectionName, numbers: readonly number[]): number[][] {
    const { offsets } = this.#table(section);
    const ranges: number[][] = [];
    for (const number of numbers) {
      const [start, end] = [offsets[number], offsets[number + 1]];
      if (start === undefined || end === undefined) throw new InvalidSegment('The segment has no such block.');
      const range = ranges.at(-1);
      const from = offsets[range?.[0] ?? 0] ?? 0;
      const until = offsets[(range?.at(-1) ?? 0) + 1] ?? 0;
      if (range && start - until <= MAX_GAP_BYTES && end - from <= MAX_RANGE_BYTES) range.push(number);
      else ranges.push([number]);
    }
    return ranges;
  }

  /** Reads blocks with one read, and checks them. */
  #readRange(section: SectionName, numbers: readonly number[]): Promise<[number, Uint8Array][]> {
    const table = this.#table(section);
    const { offsets } = table;
    const from = offsets[numbers[0] ?? 0] ?? 0;
    const until = offsets[(numbers.at(-1) ?? 0) + 1] ?? 0;
    return this.#cache.once(`${this.#stored.key}/${section}/${numbers.join()}/range`, async () => {
      const range = until === from ? new Uint8Array() : await this.#stored.read(from, until - from);
      if (range.length !== until - from) throw new InvalidSegment('The stored segment is incomplete.');
      return numbers.map((number) => {
        // A copy, so that the cache does not keep the bytes between blocks.
        const bytes = new Uint8Array(range.subarray((offsets[number] ?? 0) - from, (offsets[number + 1] ?? 0) - from));
        checkBlock(table, number, bytes);
        return [number, bytes] as [number, Uint8Array];
      });
    });
  }

  #decode<Name extends SectionName>(
    section: Name,
    number: number,
    { bytes, times }: { bytes: Uint8Array; times: Map<number, Float64Array> | undefined },
  ): SectionContent[Name] {
    const key = this.keysOf(section)[number] ?? 0;
    const count = this.#countIn(section, number);
    const decoders: { [One in SectionName]: () => SectionContent[One] } = {
      leaves: () => withLength(bytes, count * LEAF_BYTES),
      proofs: () => decodeProofs(unpack(bytes), count),
      details: () => decodeTexts(unpack(bytes), count),
      summaries: () => decodeTexts(unpack(bytes), count),
      received: () => decodeReceived(unpack(bytes), times?.get(number) ?? new Float64Array(count)),
      columns: () => decodeColumns(unpack(bytes), count),
      ids: () => withLength(bytes, count * UUID_BYTES),
      lists: () => bytes,
      terms: () => decodeDirectory(bytes, key, this.blockCountOf('lists')),
      values: () => decodeDirectory(bytes, key, this.blockCountOf('lists')),
      idIndex: () => withLength(bytes, count * 4),
      times: () => decodeTimes(bytes, key, count),
      actors: () => decodeNames(bytes),
      repositories: () => decodeNames(bytes),
    };
    return decoders[section]();
  }

  /** The number of events in a block of a section by ordinals. */
  #countIn(section: SectionName, number: number): number {
    if (section === 'summaries' || section === 'details') {
      const keys = this.keysOf(section);
      return (keys[number + 1] ?? this.events) - (keys[number] ?? 0);
    }
    const size = (eventsPerBlock as Partial<Record<SectionName, number>>)[section];
    return size === undefined ? 0 : Math.min(size, this.events - number * size);
  }

  /** The block of a section that contains an event. */
  blockOf(section: EventSection, ordinal: number): number {
    if (section === 'summaries' || section === 'details') return blockOfKey(this.keysOf(section), ordinal);
    return Math.floor(ordinal / eventsPerBlock[section]);
  }
}

function withLength(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length !== length) throw new InvalidSegment('A block of the segment has another length than stated.');
  return bytes;
}

function decodeNames(bytes: Uint8Array): readonly string[] {
  if (bytes.length % UUID_BYTES > 0) throw new InvalidSegment('A list of IDs of the segment is incomplete.');
  return Array.from({ length: bytes.length / UUID_BYTES }, (_, place) => uuidAt(bytes, place));
}

/** The memory that a decoded block of this size takes, about. */
function decodedBytes(content: SectionContent[SectionName], size: number): number {
  const perBlock = 200;
  const perName = 128;
  if (content instanceof Uint8Array || content instanceof Float64Array) return content.byteLength + perBlock;
  // Arrays have a method `keys`.
  if (!('starts' in content) && !('pr' in content) && !('codes' in content)) return content.length * perName + perBlock;
  if ('pr' in content) return content.bytes + perBlock;
  if ('codes' in content) return content.codes.byteLength + content.proofs.length * perName + perBlock;
  if ('keys' in content) return content.keys.length * 16 + size + perBlock;
  return content.bytes.length + content.starts.byteLength + perBlock;
}
