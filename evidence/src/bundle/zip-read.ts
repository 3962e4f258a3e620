import { Inflate } from 'fflate';
import { type Bytes, concat, equalBytes, textOf } from '../ledger/bytes.ts';
import {
  centralHeader,
  centralHeaderSize,
  crcOf,
  endRecord,
  endSize,
  isSafePath,
  localHeader,
  localHeaderSize,
  MAX_ZIP_MEMBERS,
  type Member,
  signatures,
} from './zip-format.ts';

export interface Archive {
  /** In archive order. */
  paths: readonly string[];
  /** The last file, which is stored uncompressed. */
  last: string;
  /** The bytes before the last file, which its signature covers. */
  before: Bytes;
  /** Unpacks a file. Throws if it does not match the archive. */
  file: (path: string) => Bytes;
}

/** Maximum total size of all unpacked files in bytes. */
export const MAX_UNPACKED_BYTES = 1_500_000_000;

/**
 * Reads the directory of an archive in canonical form. Throws with a reason for any other archive: duplicate, unsafe or
 * ambiguous names, unassigned bytes, inconsistent directories, and more than `most` bytes.
 */
export function openZip(bytes: Bytes, most = MAX_UNPACKED_BYTES): Archive {
  const members = listOf(bytes);
  refuseNames(members.map(({ path }) => path));
  if (members.reduce((sum, { size }) => sum + size, 0) > most)
    throw new Error('The extracted archive would be too large');
  const last = members.at(-1);
  if (last?.method !== 0 || members.some((member) => member !== last && member.method !== 8)) {
    throw new Error('A file of the archive uses an unsupported compression method');
  }
  const byPath = new Map(members.map((member) => [member.path, member]));
  return {
    paths: members.map(({ path }) => path),
    last: last.path,
    before: bytes.subarray(0, last.at),
    file(path) {
      const member = byPath.get(path);
      if (!member) throw new Error(`${path} is missing`);
      return contentOf(bytes, member);
    },
  };
}

function listOf(bytes: Bytes): Member[] {
  if (bytes.length < endSize) throw new Error('Not an archive');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const endAt = bytes.length - endSize;
  if (view.getUint32(endAt, true) !== signatures.end) throw new Error('Not an archive, or truncated');
  const [count, listSize, listAt] = [
    view.getUint16(endAt + 8, true),
    view.getUint32(endAt + 12, true),
    view.getUint32(endAt + 16, true),
  ];
  if (
    count > MAX_ZIP_MEMBERS ||
    listAt + listSize !== endAt ||
    !equalBytes(bytes.subarray(endAt), endRecord(count, listSize, listAt))
  ) {
    throw new Error('The end record of the archive is invalid');
  }
  const members: Member[] = [];
  let [at, end] = [listAt, 0];
  for (let index = 0; index < count; index += 1) {
    if (at + centralHeaderSize > endAt) throw new Error('The central directory of the archive is truncated');
    const member = memberAt(view, bytes, at);
    const header = centralHeader(member);
    if (!equalBytes(bytes.subarray(at, at + header.length), header))
      throw new Error('The central directory of the archive is invalid');
    at += header.length;
    // Files are adjacent, so every byte belongs to one.
    const local = localHeader(member);
    if (member.at !== end || !equalBytes(bytes.subarray(end, end + local.length), local)) {
      throw new Error(`${member.path} is not at the offset in the central directory`);
    }
    end += local.length + member.packed;
    members.push(member);
  }
  if (at !== endAt || end !== listAt) throw new Error('The archive contains bytes outside its files');
  return members;
}

function memberAt(view: DataView, bytes: Bytes, at: number): Member {
  const nameSize = view.getUint16(at + 28, true);
  const method = view.getUint16(at + 10, true);
  if (method !== 0 && method !== 8) throw new Error('A file of the archive uses an unsupported compression method');
  return {
    path: textOf(bytes.subarray(at + centralHeaderSize, at + centralHeaderSize + nameSize)),
    method,
    crc: view.getUint32(at + 16, true),
    packed: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    at: view.getUint32(at + 42, true),
  };
}

/** The last file, which signs the others, may be out of order. */
function refuseNames(paths: readonly string[]): void {
  if (!paths.every(isSafePath)) throw new Error('A file of the archive has an unsafe name');
  if (new Set(paths.map((path) => path.toLowerCase())).size < paths.length) {
    throw new Error('Two files of the archive have the same name');
  }
  const ordered = paths.slice(0, -1);
  if (ordered.some((path, index) => index > 0 && path <= (ordered[index - 1] ?? ''))) {
    throw new Error('The files of the archive are not in order');
  }
}

function contentOf(bytes: Bytes, { path, method, crc, packed, size, at }: Member): Bytes {
  const from = at + localHeaderSize + path.length;
  const data = bytes.subarray(from, from + packed);
  const content = method === 0 ? data : inflated(data, size, path);
  if (content.length !== size || crcOf(content) !== crc) throw new Error(`${path} does not match the archive`);
  return content;
}

/** Stops at the declared size, since a small file can unpack to a very large one. */
function inflated(data: Bytes, size: number, path: string): Bytes {
  const pieces: Bytes[] = [];
  let length = 0;
  const inflate = new Inflate((piece) => {
    length += piece.length;
    if (length > size) throw new Error(`${path} is larger than the archive states`);
    pieces.push(piece);
  });
  for (let at = 0; at < data.length || at === 0; at += step) {
    inflate.push(data.subarray(at, at + step), at + step >= data.length);
  }
  return concat(...pieces);
}

const step = 65_536;
