import type { Database } from '#database/database.ts';

// With 20 bits per event, one new ID of 14,000 is looked up in the segments; of twice as many, one of millions.
const MIN_BITS_PER_EVENT = 20;
const PROBES = 12;
const MIN_BITS = 2 ** 20;
const BYTES_PER_HASH = 8;

/** Two 32-bit hashes of an event ID; the second is odd. */
function hashesOf(id: string): [number, number] {
  let [one, other, word, digits] = [0x9e3779b9 | 0, 0x85ebca6b | 0, 0, 0];
  for (let at = 0; at < id.length; at += 1) {
    const code = id.charCodeAt(at);
    if (code === HYPHEN) continue;
    word = (word << 4) | (code <= NINE ? code - ZERO : (code | 0x20) - TEN);
    digits += 1;
    if (digits % 8 > 0) continue;
    one = mixed(one ^ word);
    other = mixed((other + word) | 0);
    word = 0;
  }
  return [one, other | 1];
}
const [HYPHEN, ZERO, NINE] = [0x2d, 0x30, 0x39];
/** What a lower-case letter is above its value as a digit. */
const TEN = 0x61 - 10;

function mixed(value: number): number {
  let word = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  word = Math.imul(word ^ (word >>> 15), 0x846ca68b);
  return word ^ (word >>> 16);
}

/** The hashes of event IDs as they are stored beside a segment. */
export function encodeIdHashes(ids: readonly string[]): Buffer {
  const hashes = Buffer.alloc(ids.length * BYTES_PER_HASH);
  ids.forEach((id, index) => {
    const [one, other] = hashesOf(id);
    hashes.writeInt32LE(one, index * BYTES_PER_HASH);
    hashes.writeInt32LE(other, index * BYTES_PER_HASH + 4);
  });
  return hashes;
}

/** The IDs of the archived events of an organization, as a Bloom filter. */
export interface ArchivedIds {
  /** The version of the archive that it covers. */
  version: number;
  /** False if no archived event has the ID; otherwise one probably has it. */
  mayHave: (id: string) => boolean;
}

interface LoadedIds extends ArchivedIds {
  bits: Int32Array;
  events: number;
  segments: ReadonlySet<string>;
}

const none: ArchivedIds = { version: 0, mayHave: () => false };
const loaded = new Map<string, LoadedIds>();
/** The memory for filters of all organizations: 13 to 26 million archived events. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The filter as it was last loaded, possibly older than the archive. */
export const lastArchivedIds = (orgId: string): ArchivedIds => loaded.get(orgId) ?? none;

/** Loads the IDs of segments that the filter does not have yet. */
export async function loadArchivedIds(database: Database, orgId: string): Promise<ArchivedIds> {
  const current = await readSegments(database, orgId);
  if (current.version === 0) {
    loaded.delete(orgId);
    return none;
  }
  const total = current.segments.reduce((sum, { events }) => sum + events, 0);
  const before = loaded.get(orgId);
  // IDs of replaced segments stay in it, and only cost lookups.
  const isReusable = before !== undefined && total * MIN_BITS_PER_EVENT <= before.bits.length * 32;
  const bits = isReusable ? before.bits : emptyBits(total);
  const segments = new Set(isReusable ? before.segments : []);
  for (const { id } of current.segments) {
    if (segments.has(id)) continue;
    const hashes = await readHashes(database, orgId, id);
    // Without the row, the segment was replaced meanwhile, and the version of a later statement differs.
    if (hashes) addHashes(bits, hashes);
    segments.add(id);
  }
  const ids = { version: current.version, bits, events: total, segments, mayHave: (id: string) => hasHashes(bits, id) };
  remember(orgId, ids);
  return ids;
}

function remember(orgId: string, ids: LoadedIds): void {
  loaded.delete(orgId);
  loaded.set(orgId, ids);
  let bytes = Array.from(loaded.values(), ({ bits }) => bits.byteLength).reduce((sum, one) => sum + one, 0);
  for (const [other, { bits }] of loaded) {
    if (bytes <= MAX_BYTES || other === orgId) break;
    loaded.delete(other);
    bytes -= bits.byteLength;
  }
}

/** A power of two, so that a hash is a position without a division. */
const emptyBits = (events: number) =>
  new Int32Array(Math.max(MIN_BITS, 2 ** Math.ceil(Math.log2(events * MIN_BITS_PER_EVENT))) / 32);

function addHashes(bits: Int32Array, hashes: Buffer): void {
  const mask = bits.length * 32 - 1;
  for (let at = 0; at + BYTES_PER_HASH <= hashes.length; at += BYTES_PER_HASH) {
    const [one, other] = [hashes.readInt32LE(at), hashes.readInt32LE(at + 4)];
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = (one + Math.imul(probe, other)) & mask;
      bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
  }
}

function hasHashes(bits: Int32Array, id: string): boolean {
  const mask = bits.length * 32 - 1;
  const [one, other] = hashesOf(id);
  for (let probe = 0; probe < PROBES; probe += 1) {
    const bit = (one + Math.imul(probe, other)) & mask;
    if (((bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
  }
  return true;
}

async function readSegments(database: Database, orgId: string) {
  const rows = await database.onceWithOrg<{ version: number; id: string | null; events: number }>(orgId, {
    name: 'segments.sizes',
    text: ` select l.* from tenant cross join lateral (
              select a.version, s.id, s.events from event_archive a left join event_segment s on s.org_id = a.org_id
              where a.org_id = tenant.org offset 0) l`,
    values: [],
  });
  return {
    version: rows[0]?.version ?? 0,
    segments: rows.flatMap(({ id, events }) => (id === null ? [] : [{ id, events }])),
  };
}

async function readHashes(database: Database, orgId: string, id: string): Promise<Buffer | undefined> {
  const [row] = await database.onceWithOrg<{ id_hashes: Buffer }>(orgId, {
    name: 'segments.id-hashes',
    text: ` select s.id_hashes from tenant cross join lateral (
              select id_hashes from event_segment where org_id = tenant.org and id = $2 offset 0) s`,
    values: [id],
  });
  return row?.id_hashes;
}
