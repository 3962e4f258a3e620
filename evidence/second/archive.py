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
    need(end >= 0 and data[end:end + 4] == b'PK\x05\x06', 'this is no archive, or it was cut off')
    count, = struct.unpack_from('<H', data, end + 8)
    list_size, list_at = struct.unpack_from('<II', data, end + 12)
    said = struct.pack('<IHHHHIIH', 0x06054B50, 0, 0, count, count, list_size, list_at, 0)
    is_end = count <= 60_000 and list_at + list_size == end and data[end:] == said
    need(is_end, 'the end of the archive is not as it is written')
    members, at, next_at = [], list_at, 0
    for _ in range(count):
        need(at + 46 <= end, 'the list of the archive is cut off')
        method, = struct.unpack_from('<H', data, at + 10)
        crc, packed, size, name_size = struct.unpack_from('<IIIH', data, at + 16)
        start, = struct.unpack_from('<I', data, at + 42)
        name = data[at + 46:at + 46 + name_size]
        common = (20, 0x0800, method, 0, 0x21, crc, packed, size, len(name), 0)
        central = struct.pack('<IHHHHHHIIIHHHHHII', 0x02014B50, 20, *common, 0, 0, 0, 0, start) + name
        need(data[at:at + len(central)] == central, 'the list of the archive is not as it is written')
        local = struct.pack('<IHHHHHIIIHH', 0x04034B50, *common) + name
        need(start == next_at and data[start:start + len(local)] == local, 'a file does not lie where the list says')
        path = text_of(name, 'the name of a file')
        need(len(path) <= 200 and PATH.fullmatch(path) and not re.search(r'\.(/|$)', path), 'a name could lead astray')
        members.append((path, method, crc, start + len(local), packed, size))
        at, next_at = at + len(central), start + len(local) + packed
    need(at == end and next_at == list_at, 'the archive has bytes that belong to no file')
    need(members and len({one[0].lower() for one in members}) == count, 'two files of the archive have one name')
    paths = [one[0] for one in members]
    need(paths[:-1] == sorted(paths[:-1]), 'the files of the archive are not in order')
    need([one[1] for one in members] == [8] * (count - 1) + [0], 'a file of the archive is packed in another way')
    need(sum(one[5] for one in members) <= LARGEST, 'unpacked, the archive would be too large')
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
                raise Refused(f'{path} cannot be unpacked') from None
            need(stream.eof and not stream.unused_data, f'{path} is not packed as it is written')
        need(len(content) == size and zlib.crc32(content) == crc, f'{path} is not what the archive says')
        return content
    return unpack
