"""Reads whom a time-stamp response (RFC 3161, DER) is about. Does not verify who signed it."""
from texts import Refused, need, sha256

SHA256 = bytes.fromhex('0609608648016503040201')


def is_timestamp_of(response, data):
    """Whether a response was granted for the SHA-256 of this data."""
    try:
        answer, = values_of(response)
        status, token = parts_of(answer, 0x30)[:2]
        granted, = [parts_of(status, 0x30)[0][1]]
        signed_data = parts_of(parts_of(parts_of(token, 0x30)[1], 0xA0)[0], 0x30)
        content = parts_of(parts_of(signed_data[2], 0x30)[1], 0xA0)[0]
        need(content[0] == 0x04, 'The content has another type')
        info, = values_of(content[1])
        algorithm, hashed = parts_of(parts_of(info, 0x30)[2], 0x30)
        return (granted in (b'\x00', b'\x01') and algorithm[0] == 0x30 and algorithm[1].startswith(SHA256)
                and hashed == (0x04, sha256(data)))
    except (Refused, ValueError, IndexError):
        return False


def parts_of(value, tag):
    need(value[0] == tag, 'The value has another type')
    return values_of(value[1])


def values_of(data):
    values, at = [], 0
    while at < len(data):
        first = data[at + 1]
        more = first - 0x80 if first > 0x80 else 0
        need(first != 0x80 and more <= 4, 'The length is not definite')
        start = at + 2 + more
        size = int.from_bytes(data[at + 2:start], 'big') if more else first
        need(start + size <= len(data), 'The value is truncated')
        values.append((data[at], data[start:start + size]))
        at = start + size
    return values
