"""Verifies ML-DSA-44 signatures: FIPS 204, with an empty context."""
import hashlib


Q, D, TAU, GAMMA1, GAMMA2, ROWS, COLUMNS, BETA, OMEGA = 8380417, 13, 39, 2**17, 95232, 4, 4, 78, 80
ZETAS = [pow(1753, int(f'{index:08b}'[::-1], 2), Q) for index in range(256)]


def transform(values):
    """The number theoretic transform (algorithm 41)."""
    result, index, length = list(values), 0, 128
    while length >= 1:
        for start in range(0, 256, 2 * length):
            index += 1
            for at in range(start, start + length):
                product = ZETAS[index] * result[at + length] % Q
                result[at + length], result[at] = (result[at] - product) % Q, (result[at] + product) % Q
        length //= 2
    return result


def transform_back(values):
    """Its inverse (algorithm 42)."""
    result, index, length = list(values), 256, 1
    while length < 256:
        for start in range(0, 256, 2 * length):
            index -= 1
            for at in range(start, start + length):
                one, other = result[at], result[at + length]
                result[at], result[at + length] = (one + other) % Q, -ZETAS[index] * (one - other) % Q
        length *= 2
    return [value * 8347681 % Q for value in result]


def numbers_of(data, bits):
    """Unpacks numbers of so many bits, the lowest first."""
    packed = int.from_bytes(data, 'little')
    return [packed >> bits * at & (1 << bits) - 1 for at in range(8 * len(data) // bits)]


def matrix_entry(seed, row, column):
    """A polynomial of the public matrix (algorithm 30)."""
    length = 1024
    while True:
        data = hashlib.shake_128(seed + bytes([column, row])).digest(length)
        found = [value & 0x7FFFFF for value in numbers_of(data[:length // 3 * 3], 24)]
        found = [value for value in found if value < Q]
        if len(found) >= 256:
            return found[:256]
        length *= 2


def challenge_of(seed):
    """A polynomial with 39 coefficients of 1 or -1 (algorithm 29)."""
    data = hashlib.shake_256(seed).digest(4096)
    signs, at, result = int.from_bytes(data[:8], 'little'), 8, [0] * 256
    for index in range(256 - TAU, 256):
        while data[at] > index:
            at += 1
        result[index], result[data[at]] = result[data[at]], -1 if signs >> index + TAU - 256 & 1 else 1
        at += 1
    return result


def hints_of(data):
    """The positions of hints by row (algorithm 21), or None for an encoding that is not the only one."""
    hints, used = [], 0
    for end in data[OMEGA:]:
        places = list(data[used:end])
        if end < used or end > OMEGA or places != sorted(set(places)):
            return None
        hints.append(set(places))
        used = end
    return None if any(data[used:OMEGA]) else hints


def high_bits(value, has_hint):
    """The high bits of a value, corrected by a hint (algorithms 36 and 40)."""
    low = value % (2 * GAMMA2)
    low = low - 2 * GAMMA2 if low > GAMMA2 else low
    high, low = (0, low - 1) if value - low == Q - 1 else ((value - low) // (2 * GAMMA2), low)
    return (high + (1 if low > 0 else -1)) % 44 if has_hint else high


def is_signed(public, message, signature):
    if len(public) != 1312 or len(signature) != 2420:
        return False
    tag, hints = signature[:32], hints_of(signature[2336:])
    answers = [[GAMMA1 - value for value in numbers_of(signature[at:at + 576], 18)] for at in range(32, 2336, 576)]
    if hints is None or any(abs(value) >= GAMMA1 - BETA for answer in answers for value in answer):
        return False
    digest = hashlib.shake_256(hashlib.shake_256(public).digest(64) + bytes(2) + message).digest(64)
    answers, challenge = [transform(answer) for answer in answers], transform(challenge_of(tag))
    packed = b''
    for row in range(ROWS):
        high = transform([value << D for value in numbers_of(public[32 + 320 * row:352 + 320 * row], 10)])
        total = [-one * other for one, other in zip(challenge, high)]
        for column in range(COLUMNS):
            entry = matrix_entry(public[:32], row, column)
            total = [sum_ + one * other for sum_, one, other in zip(total, entry, answers[column])]
        total = transform_back([value % Q for value in total])
        bits = sum(high_bits(value, at in hints[row]) << 6 * at for at, value in enumerate(total))
        packed += bits.to_bytes(192, 'little')
    return hashlib.shake_256(digest + packed).digest(32) == tag
