import { hash, randomBytes } from 'node:crypto';

/** The nil UUID, used where no organization, person or repository is known (RFC 9562, section 5.9). */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

let lastMs = 0;
let counter = 0;

/**
 * A time-ordered ID (UUID version 7): rows created together are adjacent in an index. The counter of RFC 9562, section
 * 6.2, orders the IDs of one process and millisecond by creation, and so also lists that are sorted by ID last. The
 * counter starts in the lower half of its 12 bits; after more than 2,048 IDs of one millisecond the order among these
 * is arbitrary.
 */
export function newId(now = Date.now()): string {
  const bytes = randomBytes(16);
  counter = now === lastMs ? (counter + 1) & 0xfff : bytes.readUInt16BE(6) & 0x7ff;
  lastMs = now;
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt16BE(counter, 6);
  return formatUuid(bytes, 0x70);
}

/**
 * The ID of a fact, independent of how often and from which source it is recorded (UUID version 8, SHA-256 of its
 * parts).
 */
export function factId(...parts: (string | number)[]): string {
  // On the hexadecimal text: imports compute hundreds of thousands of IDs.
  const hex = hash('sha256', JSON.stringify(parts));
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function formatUuid(bytes: Buffer, version: number): string {
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | version, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The source of a change: a merged pull request or a push. */
export type ChangeSource = { number: number } | { pushId: string };

/** The ID of a change record. */
export const changeRecordId = (repositoryId: string, of: ChangeSource): string =>
  factId('change', repositoryId, 'number' in of ? of.number : of.pushId);
