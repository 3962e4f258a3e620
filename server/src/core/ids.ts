import { createHash, randomBytes } from 'node:crypto';

/** The ID of nothing: stands where no organization, person or repository is known (RFC 9562, section 5.9). */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

let lastMs = 0;
let counter = 0;

/**
 * A time-ordered ID (UUID version 7): rows created together lie together in an index. IDs of one process and millisecond are in the order of
 * their creation, by the counter of RFC 9562, section 6.2, so that lists which end their order with the ID are too. The counter starts in the
 * lower half of its 12 bits; after more than 2,048 IDs of one millisecond the order among these is arbitrary.
 */
export function newId(now = Date.now()): string {
  const bytes = randomBytes(16);
  counter = now === lastMs ? (counter + 1) & 0xfff : bytes.readUInt16BE(6) & 0x7ff;
  lastMs = now;
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt16BE(counter, 6);
  return stamped(bytes, 0x70);
}

/** The id of a fact, the same however often and by whichever way it is learnt (UUID version 8, SHA-256 of its parts). */
export function idOf(...parts: (string | number)[]): string {
  return stamped(createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16), 0x80);
}

function stamped(bytes: Buffer, version: number): string {
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | version, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** What a change is: a merged pull request, or a push. */
export type ChangeOf = { number: number } | { pushId: string };

/** The id of the record of a change. */
export const changeId = (repositoryId: string, of: ChangeOf): string =>
  idOf('change', repositoryId, 'number' in of ? of.number : of.pushId);
