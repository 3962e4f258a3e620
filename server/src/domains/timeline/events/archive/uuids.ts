import { InvalidSegment } from './bytes.ts';

export const UUID_BYTES = 16;

const pattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The 16 bytes of a UUID in lower case; throws `InvalidSegment` for other text. */
export function uuidBytes(id: string): Uint8Array {
  if (!pattern.test(id)) throw new InvalidSegment(`${id.slice(0, 40)} is not a UUID in lower case.`);
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

/** The UUID at a position of these bytes. */
export function uuidAt(bytes: Uint8Array, place: number): string {
  const from = place * UUID_BYTES;
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset + from, UUID_BYTES).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The first 48 bits and the last 16 bits of a UUID, by which the index of IDs finds it. */
export const idPrefixAt = (ids: Buffer, place: number): number => ids.readUIntBE(place * UUID_BYTES, 6);
export const idSuffixAt = (ids: Buffer, place: number): number => ids.readUInt16BE(place * UUID_BYTES + 14);
export const idPrefix = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
export const idSuffix = (id: string): number => Number.parseInt(id.slice(32), 16);
