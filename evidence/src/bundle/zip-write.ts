import { deflateSync } from 'fflate';
import type { Bytes } from '../ledger/bytes.ts';
import {
  centralHeader,
  crcOf,
  endRecord,
  isSafePath,
  localHeader,
  MAX_ZIP_MEMBERS,
  type Member,
} from './zip-format.ts';

/** A file of an archive. */
export interface PackedZipFile extends Omit<Member, 'at' | 'packed'> {
  readonly bytes: Bytes;
}

/** Packs a file before its offset is known. Throws for an unsafe name. */
export function packZipFile(path: string, content: Bytes, method: 0 | 8 = 8): PackedZipFile {
  if (!isSafePath(path)) throw new RangeError(`${path} is not a valid name for a file of a bundle`);
  const bytes = method === 0 ? content : deflateSync(content, { level: 6 });
  return { path, method, crc: crcOf(content), size: content.length, bytes };
}

/** Writes an archive as a stream. Equal files in equal order yield equal bytes. */
export interface ZipWriter {
  /** Returns the next bytes. Throws if the name does not sort after the previous one. */
  add: (file: PackedZipFile) => Bytes[];
  /** Returns the last file, stored out of order and uncompressed, and the central directory. */
  end: (path: string, content: Bytes) => Bytes[];
}

export function zipWriter(): ZipWriter {
  const members: Member[] = [];
  let at = 0;
  const write = ({ bytes, ...file }: PackedZipFile): Bytes[] => {
    const member = { ...file, packed: bytes.length };
    const header = localHeader(member);
    members.push({ ...member, at });
    at += header.length + bytes.length;
    if (at > 0xffff_ffff || members.length > MAX_ZIP_MEMBERS)
      throw new RangeError('The bundle is too large for an archive');
    return [header, bytes];
  };
  return {
    add(file) {
      const last = members.at(-1)?.path ?? '';
      if (file.path <= last) throw new RangeError(`${file.path} must come after ${last}`);
      return write(file);
    },
    end(path, content) {
      const pieces = write(packZipFile(path, content, 0));
      const listAt = at;
      const list = members.map(centralHeader);
      const listSize = list.reduce((size, record) => size + record.length, 0);
      return [...pieces, ...list, endRecord(members.length, listSize, listAt)];
    },
  };
}
