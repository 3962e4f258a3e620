"""Canonical texts: JSON (RFC 8785 without floats), base64, and JSON lines."""
import base64
import hashlib
import json
import re


NAMESPACE = 'https://sightline.dev/ns/oscal'
ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(',', ':'))
SPACE = '[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+'


class Refused(Exception):
    """A problem of a bundle, in one sentence."""


def need(holds, says):
    if not holds:
        raise Refused(says)


def text_of(data, what):
    try:
        return data.decode('utf-8')
    except UnicodeDecodeError:
        raise Refused(f'{what} is not UTF-8') from None


def base64_of(text):
    try:
        data = base64.b64decode(text, validate=True)
    except (ValueError, TypeError):
        raise Refused('Not base64') from None
    need(base64.b64encode(data).decode() == text, 'Not canonical base64')
    return data


def url64(data):
    return base64.urlsafe_b64encode(data).rstrip(b'=').decode()


def units(text):
    """Sort key for the order of UTF-16 code units."""
    return text.encode('utf-16-be', 'surrogatepass')


def ordered(value):
    """The value with its members in canonical order. Dictionaries keep the order in which members are added."""
    if isinstance(value, dict):
        return {key: ordered(value[key]) for key in sorted(value, key=units)}
    if isinstance(value, list):
        return [ordered(one) for one in value]
    need(not isinstance(value, float), 'Only integers are allowed')
    need(not isinstance(value, int) or abs(value) < 2**53, 'A number is too large')
    return value


def canonical(value):
    return ENCODER.encode(ordered(value))


def parsed(text, what):
    try:
        value = json.loads(text)
        need(canonical(value) == text, f'{what} is not in canonical form')
    except (ValueError, RecursionError):
        raise Refused(f'{what} is not in canonical form') from None
    return value


def lines_of(files, path, fields):
    text = text_of(files[path], path)
    need(text == '' or text.endswith('\n'), f'{path} is truncated')
    values = [parsed(line, path) for line in text.split('\n')[:-1]]
    need(all(is_record(value, fields) for value in values), f'{path} has unexpected or missing fields')
    return values


def is_record(value, fields):
    return isinstance(value, dict) and sorted(value) == sorted(fields)


def is_count(value):
    return type(value) is int and value >= 0


def is_text(value):
    return isinstance(value, str) and value != ''


def is_strings(values):
    return isinstance(values, list) and all(isinstance(one, str) for one in values)


def is_time(value):
    return isinstance(value, str) and re.fullmatch(r'[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z', value) is not None


def sha256(data):
    return hashlib.sha256(data).digest()


def hash_of(value):
    return sha256(canonical(value).encode()).hex()


def one_line(text):
    return re.sub(SPACE, ' ', text).strip(' ')


def prop(name, value):
    """An extension of OSCAL."""
    return {'name': name, 'ns': NAMESPACE, 'value': value}
