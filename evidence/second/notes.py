"""Public keys and signed notes of C2SP."""
import base64
import unicodedata

from ed25519 import is_signed
from texts import base64_of, need, sha256


def key_of(text):
    """Parses name+id+key into (name, id, type, public key)."""
    parts = text.strip().split('+', 2)
    need(len(parts) == 3, 'this is no key')
    name, number, typed = parts[0], parts[1], base64_of(parts[2])
    need(is_name(name) and len(typed) == 33 and typed[0] in (1, 4), 'this is no key that can verify')
    need(sha256(f'{name}\n'.encode() + typed)[:4].hex() == number, 'the id of the key is not its own')
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
    need(end >= 0 and is_clean and signatures.endswith('\n'), 'this is no signed note')
    lines = signatures[:-1].split('\n')
    need(len(lines) <= 100, 'the note has too many signatures')
    signed = []
    for line in lines:
        parts = line.split(' ')
        need(len(parts) == 3 and parts[0] == '—' and is_name(parts[1]), 'a signature is not written as one')
        data = base64_of(parts[2])
        need(len(data) > 4, 'a signature is too short')
        key = next((one for one in keys if one[0] == parts[1] and one[1] == data[:4]), None)
        if key is None:
            continue
        message, signature = text.encode(), data[4:]
        if key[2] == 4:
            need(len(signature) == 72, 'a cosignature has another length')
            message = f'cosignature/v1\ntime {int.from_bytes(signature[:8], "big")}\n{text}'.encode()
            signature = signature[8:]
        need(is_signed(key[3], message, signature), f'the signature of {key[0]} is wrong')
        if key not in signed:
            signed.append(key)
    need(signed, 'the note is signed by none of the given keys')
    return text, signed
