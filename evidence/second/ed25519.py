"""Verifies Ed25519 signatures: RFC 8032, section 5.1, with the cofactored equation (multiplied by eight)."""
import hashlib


P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
NEUTRAL = (0, 1, 1, 0)


def plus(one, other):
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % P, (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, point):
    total = NEUTRAL
    while number:
        if number & 1:
            total = plus(total, point)
        point, number = plus(point, point), number >> 1
    return total


def is_same_point(one, other):
    return (one[0] * other[2] - other[0] * one[2]) % P == 0 and (one[1] * other[2] - other[1] * one[2]) % P == 0


def point_of(data):
    number = int.from_bytes(data, 'little')
    y, sign = number & (1 << 255) - 1, number >> 255
    if len(data) != 32 or y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    x = x if x & 1 == sign else P - x
    return x, y, 1, x * y % P


BASE = point_of((4 * pow(5, -1, P) % P).to_bytes(32, 'little'))


def is_signed(public, message, signature):
    key, nonce, s = point_of(public), point_of(signature[:32]), int.from_bytes(signature[32:], 'little')
    if len(signature) != 64 or key is None or nonce is None or s >= ORDER or is_same_point(times(8, key), NEUTRAL):
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), 'little') % ORDER
    return is_same_point(times(8 * s, BASE), plus(times(8, nonce), times(8 * k, key)))
