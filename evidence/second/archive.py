"""Reads the canonical archive format of bundles."""
import re
import struct
import zlib

from texts import Refused, need, text_of


PATH = re.compile(r'[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*){0,4}')
LARGEST = 1_500_000_000


def open_zip(data):
    """Reads an archive in canonical form: {path: function that unpacks it}, and the bytes before the last file."""
    end = len(data) - 22
    need(end >= 0 and data[end:end + 4] == b'PK\x05\x06', 'Not an archive, or truncated')
    count, = struct.unpack_from('<H', data, end + 8)
    list_size, list_at = struct.unpack_from('<II', data, end + 12)
    said = struct.pack('<IHHHHIIH', 0x06054B50, 0, 0, count, count, list_size, list_at, 0)
    is_end = count <= 60_000 and list_at + list_size == end and data[end:] == said
    need(is_end, 'The end record of the archive is invalid')
    members, at, next_at = [], list_at, 0
    for _ in range(count):
        need(at + 46 <= end, 'The central directory of the archive is truncated')
        method, = struct.unpack_from('<H', data, at + 10)
        crc, packed, size, name_size = struct.unpack_from('<IIIH', data, at + 16)
        start, = struct.unpack_from('<I', data, at + 42)
        name = data[at + 46:at + 46 + name_size]
        common = (20, 0x0800, method, 0, 0x21, crc, packed, size, len(name), 0)
        central = struct.pack('<IHHHHHHIIIHHHHHII', 0x02014B50, 20, *common, 0, 0, 0, 0, start) + name
        need(data[at:at + len(central)] == central, 'The central directory of the archive is invalid')
        local = struct.pack('<IHHHHHIIIHH', 0x04034B50, *common) + name
        need(start == next_at and data[start:start + len(local)] == local,
             'A file is not at the offset in the central directory')
        path = text_of(name, 'The name of a file')
        need(len(path) <= 200 and PATH.fullmatch(path) and not re.search(r'\.(/|$)', path),
             'A file of the archive has an unsafe name')
        members.append((path, method, crc, start + len(local), packed, size))
        at, next_at = at + len(central), start + len(local) + packed
    need(at == end and next_at == list_at, 'The archive contains bytes outside its files')
    need(members and len({one[0].lower() for one in members}) == count, 'Two files of the archive have the same name')
    paths = [one[0] for one in members]
    need(paths[:-1] == sorted(paths[:-1]), 'The files of the archive are not in order')
    need([one[1] for one in members] == [8] * (count - 1) + [0],
         'A file of the archive uses an unsupported compression method')
    need(sum(one[5] for one in members) <= LARGEST, 'The extracted archive would be too large')
    last = members[-1]
    before = last[3] - 30 - len(last[0])
    return {one[0]: unpacking(data, *one) for one in members}, paths[-1], data[:before]


def unpacking(data, path, method, crc, at, packed, size):
    def unpack():
        content = data[at:at + packed]
        if method == 8:
            stream = zlib.decompressobj(-15)
            try:
                content = stream.decompress(content, size + 1)
            except zlib.error:
                raise Refused(f'{path} cannot be decompressed') from None
            need(stream.eof and not stream.unused_data, f'{path} does not match the archive')
        need(len(content) == size and zlib.crc32(content) == crc, f'{path} does not match the archive')
        return content
    return unpack
