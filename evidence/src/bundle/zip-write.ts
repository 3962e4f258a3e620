import { deflateSync } from 'fflate';
import type { Bytes } from '../ledger/bytes.ts';
import { centralHeader, crcOf, endRecord, isSafePath, localHeader, type Member, mostMembers } from './zip-format.ts';

/** Writes an archive piece by piece; the same files in the same order make the same bytes. */
export interface ZipWriter {
  /** Answers the bytes that come next. Throws for a name that is unsafe or not behind the last one. */
  add: (path: string, content: Bytes) => Bytes[];
  /** The last file, wherever its name belongs, as it is; then the list of all. */
  end: (path: string, content: Bytes) => Bytes[];
}

export function zipWriter(): ZipWriter {
  const members: Member[] = [];
  let at = 0;
  const write = (path: string, content: Bytes, method: 0 | 8): Bytes[] => {
    if (!isSafePath(path)) throw new RangeError(`${path} is no name for a file of a bundle`);
    const packed = method === 0 ? content : deflateSync(content, { level: 6 });
    const member = { path, method, crc: crcOf(content), packed: packed.length, size: content.length };
    const header = localHeader(member);
    members.push({ ...member, at });
    at += header.length + packed.length;
    if (at > 0xffff_ffff || members.length > mostMembers)
      throw new RangeError('The bundle is too large for an archive');
    return [header, packed];
  };
  return {
    add(path, content) {
      const last = members.at(-1)?.path ?? '';
      if (path <= last) throw new RangeError(`${path} does not come behind ${last}`);
      return write(path, content, 8);
    },
    end(path, content) {
      const pieces = write(path, content, 0);
      const listAt = at;
      const list = members.map(centralHeader);
      const listSize = list.reduce((size, record) => size + record.length, 0);
      return [...pieces, ...list, endRecord(members.length, listSize, listAt)];
    },
  };
}
