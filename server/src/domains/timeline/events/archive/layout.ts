import { hash } from 'node:crypto';
import { z } from 'zod';
import { InvalidSegment } from './bytes.ts';

// A segment is: the blocks of its sections, one section after the other; the table with the length and hash of each
// block; the manifest; and the footer. The hash of the manifest therefore covers every byte before it.

export const MAX_EVENTS = 65_536;
/** The events of a segment have at most this many terms together. */
export const MAX_POSTINGS = 8_000_000;
/** Their texts have at most this many bytes. */
export const MAX_TEXTS_BYTES = 256 << 20;
/** A segment is at most this long, which also limits each of its parts. */
const MAX_SEGMENT_BYTES = 1 << 30;
const MAX_MANIFEST_BYTES = 4 << 20;
/** A block is at most this long, compressed or not. */
export const MAX_BLOCK_BYTES = 32 << 20;

/** The sections in the order of the file. */
export const sectionNames = [
  'leaves',
  'proofs',
  'details',
  'summaries',
  'received',
  'columns',
  'ids',
  'lists',
  'terms',
  'values',
  'idIndex',
  'times',
  'actors',
  'repositories',
] as const;
export type SectionName = (typeof sectionNames)[number];

/** Sections whose blocks have a key, by which a block is found: ascending integers. */
const keyedSections: ReadonlySet<SectionName> = new Set([
  'details',
  'summaries',
  'terms',
  'values',
  'idIndex',
  'times',
]);
const isKeyed = (name: SectionName): boolean => keyedSections.has(name);

const uuid = z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const bytes = z.int().min(0).max(MAX_SEGMENT_BYTES);
/** Microseconds since 1970, and the ID. */
const key = z.strictObject({ asOf: z.int(), id: uuid });
const names = z.array(z.string()).max(MAX_EVENTS);

const manifestSchema = z.strictObject({
  format: z.literal('sightline-event-segment'),
  version: z.literal(1),
  organization: uuid,
  events: z.int().min(1).max(MAX_EVENTS),
  first: key,
  last: key,
  kinds: names,
  sources: names,
  sections: z.strictObject(
    Object.fromEntries(
      sectionNames.map((name) => [name, z.strictObject({ offset: bytes, length: bytes, blocks: bytes })]),
    ) as Record<SectionName, z.ZodObject<{ offset: typeof bytes; length: typeof bytes; blocks: typeof bytes }>>,
  ),
  table: z.strictObject({ offset: bytes, length: bytes, sha256: digest }),
});
type SegmentManifest = z.output<typeof manifestSchema>;

/** A block in its section, to be written. */
export interface NewBlock {
  bytes: Uint8Array;
  /** For sections with keys. */
  key: number;
}

export interface BlockTable {
  /** Offsets in the segment; one more than there are blocks. */
  offsets: Float64Array;
  /** Empty without keys. */
  keys: Float64Array;
  /** SHA-256 of each block, one after the other. */
  hashes: Uint8Array;
}

const HASH_BYTES = 32;
const LENGTH_BYTES = 4;
const KEY_BYTES = 8;
const magic = new TextEncoder().encode('SLEVSEG1');
const FOOTER_BYTES = HASH_BYTES + LENGTH_BYTES + magic.length;

export const sha256 = (content: Uint8Array): Buffer => hash('sha256', content, 'buffer');
const isEqual = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

const entryBytes = (name: SectionName) => LENGTH_BYTES + (isKeyed(name) ? KEY_BYTES : 0) + HASH_BYTES;

/** The bytes of a segment with these sections. */
export function layOutSegment(
  sections: ReadonlyMap<SectionName, readonly NewBlock[]>,
  facts: Pick<SegmentManifest, 'organization' | 'events' | 'first' | 'last' | 'kinds' | 'sources'>,
): Buffer {
  const parts: Uint8Array[] = [];
  const tables: Buffer[] = [];
  let offset = 0;
  const described = sectionNames.map((name) => {
    const blocks = sections.get(name) ?? [];
    const start = offset;
    for (const block of blocks) {
      parts.push(block.bytes);
      offset += block.bytes.length;
    }
    tables.push(tableOf(name, blocks));
    return [name, { offset: start, length: offset - start, blocks: blocks.length }] as const;
  });
  const table = Buffer.concat(tables);
  const manifest: SegmentManifest = manifestSchema.parse({
    format: 'sightline-event-segment',
    version: 1,
    ...facts,
    sections: Object.fromEntries(described),
    table: { offset, length: table.length, sha256: sha256(table).toString('hex') },
  });
  const json = Buffer.from(JSON.stringify(manifest));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(json.length);
  return Buffer.concat([...parts, table, json, sha256(json), length, magic]);
}

function tableOf(name: SectionName, blocks: readonly NewBlock[]): Buffer {
  const table = Buffer.alloc(blocks.length * entryBytes(name));
  const keysAt = blocks.length * LENGTH_BYTES;
  const hashesAt = keysAt + (isKeyed(name) ? blocks.length * KEY_BYTES : 0);
  blocks.forEach(({ bytes: content, key: first }, place) => {
    table.writeUInt32LE(content.length, place * LENGTH_BYTES);
    if (isKeyed(name)) table.writeDoubleLE(first, keysAt + place * KEY_BYTES);
    table.set(sha256(content), hashesAt + place * HASH_BYTES);
  });
  return table;
}

/** Reads `length` bytes of a stored segment from `offset` on. */
export type ReadRange = (offset: number, length: number) => Promise<Uint8Array>;

export interface SegmentLayout {
  manifest: SegmentManifest;
  /** SHA-256 of the manifest, hexadecimal, which identifies the content of the segment. */
  digest: string;
  tables: ReadonlyMap<SectionName, BlockTable>;
  /** The size of the tables and the manifest. */
  bytes: number;
}

// A segment with 65,536 events has about 150 kB of tables.
const TAIL_BYTES = 160 << 10;

/** Reads the manifest and the tables of a segment, with one or two reads at its end. */
export async function readLayout(read: ReadRange, length: number): Promise<SegmentLayout> {
  if (!Number.isSafeInteger(length) || length < FOOTER_BYTES || length > MAX_SEGMENT_BYTES)
    throw new InvalidSegment(`A segment of ${length} bytes is not valid.`);
  let tail = await readWhole(read, Math.max(0, length - TAIL_BYTES), length);
  const footer = tail.subarray(-FOOTER_BYTES);
  if (!isEqual(footer.subarray(-magic.length), magic)) throw new InvalidSegment('This is not a segment of events.');
  const manifestBytes = Buffer.from(footer).readUInt32LE(HASH_BYTES);
  const end = length - FOOTER_BYTES;
  if (manifestBytes > Math.min(MAX_MANIFEST_BYTES, end)) throw new InvalidSegment('The manifest is too long.');
  const manifestAt = end - manifestBytes;
  if (manifestAt < length - tail.length) tail = await readWhole(read, manifestAt, length);
  const json = tail.subarray(manifestAt - length).subarray(0, manifestBytes);
  const hashed = sha256(json);
  if (!isEqual(hashed, footer.subarray(0, HASH_BYTES))) throw new InvalidSegment('The manifest is damaged.');
  const manifest = parseManifest(json, manifestAt);
  const { table } = manifest;
  const isInTail = table.offset >= length - tail.length;
  const tables = isInTail
    ? tail.subarray(table.offset - length).subarray(0, table.length)
    : await readWhole(read, table.offset, manifestAt);
  if (sha256(tables).toString('hex') !== table.sha256) throw new InvalidSegment('The table of blocks is damaged.');
  return {
    manifest,
    digest: hashed.toString('hex'),
    tables: parseTables(new Uint8Array(tables), manifest),
    bytes: tables.length + 2 * json.length,
  };
}

async function readWhole(read: ReadRange, from: number, to: number): Promise<Uint8Array> {
  const content = await read(from, to - from);
  if (content.length !== to - from) throw new InvalidSegment('The stored segment is incomplete.');
  return content;
}

function parseManifest(json: Uint8Array, manifestAt: number): SegmentManifest {
  const manifest = manifestSchema.safeParse(jsonOf(json));
  if (!manifest.success) throw new InvalidSegment('The manifest has another format than this version reads.');
  const { sections, table, events } = manifest.data;
  let offset = 0;
  let length = 0;
  for (const name of sectionNames) {
    const section = sections[name];
    if (section.offset !== offset || section.blocks > MAX_EVENTS * 4) throw new InvalidSegment('Sections overlap.');
    offset += section.length;
    length += section.blocks * entryBytes(name);
  }
  if (table.offset !== offset || table.length !== length || offset + length !== manifestAt)
    throw new InvalidSegment('The parts of the segment do not have the stated lengths.');
  if (manifest.data.kinds.length > events || manifest.data.sources.length > events)
    throw new InvalidSegment('The manifest has more names than events.');
  return manifest.data;
}

function jsonOf(json: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
  } catch {
    throw new InvalidSegment('The manifest is not JSON.');
  }
}

function parseTables(table: Uint8Array, { sections }: SegmentManifest): Map<SectionName, BlockTable> {
  const view = new DataView(table.buffer);
  let at = 0;
  return new Map(
    sectionNames.map((name) => {
      const { offset, length, blocks } = sections[name];
      const offsets = new Float64Array(blocks + 1);
      offsets[0] = offset;
      for (let place = 0; place < blocks; place += 1) {
        const size = view.getUint32(at + place * LENGTH_BYTES, true);
        if (size > MAX_BLOCK_BYTES) throw new InvalidSegment('A block is too long.');
        offsets[place + 1] = (offsets[place] ?? 0) + size;
      }
      if (offsets[blocks] !== offset + length) throw new InvalidSegment('Blocks do not have the stated lengths.');
      at += blocks * LENGTH_BYTES;
      const keys = new Float64Array(isKeyed(name) ? blocks : 0);
      for (let place = 0; place < keys.length; place += 1) {
        const first = view.getFloat64(at + place * KEY_BYTES, true);
        const isAscending = place === 0 || first >= (keys[place - 1] ?? 0);
        if (!Number.isSafeInteger(first) || !isAscending) throw new InvalidSegment('Blocks are not in order.');
        keys[place] = first;
      }
      at += keys.length * KEY_BYTES;
      const hashes = table.subarray(at, at + blocks * HASH_BYTES);
      at += hashes.length;
      return [name, { offsets, keys, hashes }] as const;
    }),
  );
}

/** Throws unless the bytes are those of this block. */
export function checkBlock({ hashes }: BlockTable, block: number, content: Uint8Array): void {
  const expected = hashes.subarray(block * HASH_BYTES, (block + 1) * HASH_BYTES);
  if (!isEqual(sha256(content), expected)) throw new InvalidSegment('A block of the segment is damaged.');
}

/** The last block whose key is at most `key`; -1 if there is none. */
export function blockOfKey(keys: Float64Array, key: number): number {
  let from = 0;
  let to = keys.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((keys[middle] ?? 0) <= key) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
