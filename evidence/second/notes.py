"""Public keys and signed notes of C2SP."""
import base64
import re
import unicodedata

import ed25519
import mldsa
from texts import base64_of, need, sha256


# Keys of logs, of witnesses with Ed25519, and of witnesses with ML-DSA-44.
LOG, COSIGNER, QUANTUM_SAFE_COSIGNER = 1, 4, 6
KEY_BYTES = {bytes([LOG]): 33, bytes([COSIGNER]): 33, bytes([QUANTUM_SAFE_COSIGNER]): 1313}


def key_of(text):
    """Parses name+id+key into (name, id, type, public key)."""
    parts = text.strip().split('+', 2)
    need(len(parts) == 3, 'Not a verification key')
    name, number, typed = parts[0], parts[1], base64_of(parts[2])
    need(is_name(name) and len(typed) == KEY_BYTES.get(typed[:1]), 'Not a verification key')
    need(sha256(f'{name}\n'.encode() + typed)[:4].hex() == number, 'The ID of the key does not match the key')
    return name, bytes.fromhex(number), typed[0], typed[1:]


def key_text(key):
    return f'{key[0]}+{key[1].hex()}+{base64.b64encode(bytes([key[2]]) + key[3]).decode()}'


def is_name(name):
    return name != '' and not any(one.isspace() or one in '+\ufeff' for one in name)


def signers_of(note):
    """Returns the names in the signature lines of a note that was opened."""
    return [line.split(' ')[1] for line in note[note.rfind('\n\n') + 2:-1].split('\n')]


def open_note(note, keys):
    """Returns the text, and the given keys that signed it."""
    end = note.rfind('\n\n')
    text, signatures = note[:end + 1], note[end + 2:]
    is_clean = not any(unicodedata.category(one) == 'Cc' for one in text.replace('\n', ''))
    need(end >= 0 and is_clean and signatures.endswith('\n'), 'Not a signed note')
    lines = signatures[:-1].split('\n')
    need(len(lines) <= 100, 'The note has too many signatures')
    signed = []
    for line in lines:
        parts = line.split(' ')
        need(len(parts) == 3 and parts[0] == '—' and is_name(parts[1]), 'A signature line of the note is invalid')
        data = base64_of(parts[2])
        need(len(data) > 4, 'A signature line of the note is invalid')
        key = next((one for one in keys if one[0] == parts[1] and one[1] == data[:4]), None)
        if key is None:
            continue
        need(is_signed(key, text, data[4:]), f'The signature of {key[0]} is invalid')
        if key not in signed:
            signed.append(key)
    need(signed, 'The note is not signed with any of the given keys')
    return text, signed


def is_signed(key, text, signature):
    name, _, kind, public = key
    if kind == LOG:
        return ed25519.is_signed(public, text.encode(), signature)
    time, signature = signature[:8], signature[8:]
    if kind == COSIGNER:
        message = f'cosignature/v1\ntime {int.from_bytes(time, "big")}\n{text}'.encode()
        return ed25519.is_signed(public, message, signature)
    lines = text.split('\n')
    need(len(lines) > 2 and re.fullmatch('[0-9]{1,16}', lines[1]), 'A cosignature needs a checkpoint')
    origin, size, root = lines[:3]
    names = [bytes([len(one)]) + one for one in (name.encode(), origin.encode())]
    message = b'subtree/v1\n\0' + names[0] + time + names[1] + bytes(8) + int(size).to_bytes(8, 'big') + base64_of(root)
    return mldsa.is_signed(public, message, signature)
