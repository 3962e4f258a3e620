import { type Bytes, utf8 } from '../ledger/bytes.ts';

// A canonical subset of ZIP (PKWARE's APPNOTE, 4.3 to 4.5): deflate, no extra fields, no comments, no data descriptors,
// the time of 1980-01-01. Every byte is determined, so an archive cannot contain hidden data.

export interface Member {
  path: string;
  /** 8: deflate; 0: stored. */
  method: 0 | 8;
  crc: number;
  packed: number;
  size: number;
  /** Offset of its local header. */
  at: number;
}

export const localHeaderSize = 30;
export const centralHeaderSize = 46;
export const endSize = 22;

export const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 };

// 2.0: deflate and folders. Bit 11: names are UTF-8.
const [version, flags, time, date] = [20, 0x0800, 0, 0x21];

export function localHeader({ path, method, crc, packed, size }: Omit<Member, 'at'>): Bytes {
  const name = utf8(path);
  return record(localHeaderSize, name, [
    [4, signatures.local],
    [2, version],
    [2, flags],
    [2, method],
    [2, time],
    [2, date],
    [4, crc],
    [4, packed],
    [4, size],
    [2, name.length],
    [2, 0],
  ]);
}

export function centralHeader({ path, method, crc, packed, size, at }: Member): Bytes {
  const name = utf8(path);
  return record(centralHeaderSize, name, [
    [4, signatures.central],
    [2, version],
    [2, version],
    [2, flags],
    [2, method],
    [2, time],
    [2, date],
    [4, crc],
    [4, packed],
    [4, size],
    [2, name.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, at],
  ]);
}

/** The end of central directory record: number of members, and size and offset of the directory. */
export const endRecord = (members: number, listSize: number, listAt: number): Bytes =>
  record(endSize, new Uint8Array(), [
    [4, signatures.end],
    [2, 0],
    [2, 0],
    [2, members],
    [2, members],
    [4, listSize],
    [4, listAt],
    [2, 0],
  ]);

function record(size: number, name: Bytes, fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Bytes {
  const bytes = new Uint8Array(size + name.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [width, value] of fields) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  bytes.set(name, size);
  return bytes;
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

export function crcOf(bytes: Bytes): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

/** ASCII names only, without empty parts, parent references, and names that operating systems reject. */
export const isSafePath = (path: string): boolean =>
  path.length <= 200 &&
  /^[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*){0,4}$/.test(path) &&
  !/\.(\/|$)/.test(path);

export const MAX_ZIP_MEMBERS = 60_000;
