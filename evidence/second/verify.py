#!/usr/bin/env python3
"""Verifies a bundle with an independent implementation: another language, no shared code, no libraries.

    python3 verify.py BUNDLE.zip --key VKEY [--witness VKEY] [--previous OLD.zip]
                      [--disclosure-key FILE] [--json]

VKEY is a public key such as name+id+key, or a file with it, from a source other than the bundle. It requires Python
3.11 and the files in this folder: no packages, no network, no clock. docs/format specifies bundles, controls and the
steps. The exit code is 0 if all steps succeed, and 1 otherwise.

It evaluates every control again with functions written from the specification. It does not verify who signed a time
stamp, and does not render the PDF again.
"""
import argparse
import json
import sys
import unicodedata
from pathlib import Path

from bundle import Bundle
from exports import check_exports
from notes import key_of
from records import check_records
from rows import check_rows
from steps import (check_census, check_checkpoint, check_disclosures, check_entries, check_files, check_previous)
from texts import Refused


def verify(data, keys, witnesses=(), previous=None, disclosure_key=None):
    """Returns [(step, finding)], and (step, problem) or None. Never raises, whatever the bundle contains."""
    done, step = [], 1
    try:
        bundle = Bundle(data, keys)
        done.append((1, f'Signed by {bundle.key[0]}.'))
        checks = [(2, check_files), (3, lambda one: check_checkpoint(one, witnesses)), (4, check_entries),
                  (5, lambda one: check_disclosures(one, disclosure_key)), (6, check_census), (7, check_rows),
                  (8, lambda one: f'{check_exports(one)} {check_records(one)}')]
        if previous is not None:
            checks.append((9, lambda one: check_previous(one, Bundle(previous, keys))))
        for step, check in checks:
            done.append((step, check(bundle)))
        return done, None
    except Refused as refused:
        return done, (step, str(refused))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        # Unexpected data raises other errors; a verifier must reject it in any case.
        return done, (step, f'The bundle has an unexpected structure ({type(error).__name__})')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('bundle', type=Path)
    parser.add_argument('--key', required=True)
    parser.add_argument('--witness', action='append', default=[])
    parser.add_argument('--previous', type=Path)
    parser.add_argument('--disclosure-key', type=Path, help='a file of the organization that opens redacted names')
    parser.add_argument('--json', action='store_true')
    asked = parser.parse_args()
    try:
        keys, witnesses = keys_of([asked.key]), keys_of(asked.witness)
        data, previous = asked.bundle.read_bytes(), asked.previous and asked.previous.read_bytes()
        disclosure_key = asked.disclosure_key and asked.disclosure_key.read_bytes()
    except (OSError, Refused) as error:
        sys.exit(f'verify.py: {error}')
    done, wrong = verify(data, keys, witnesses, previous, disclosure_key)
    if asked.json:
        print(json.dumps({'valid': wrong is None, 'steps': done, 'wrong': wrong}))
    else:
        for step, found in done:
            print(f'{step}  ok      {printable(found)}')
        print(f'NOT VALID: step {wrong[0]}: {printable(wrong[1])}.' if wrong else
              'VALID within the limits of this program: who signed a time stamp was not verified.')
    sys.exit(1 if wrong else 0)


def keys_of(given):
    texts = [one if '+' in one else Path(one).read_text(encoding='utf-8') for one in given]
    return [key_of(line) for text in texts for line in text.replace(',', '\n').split('\n') if line.strip()]


def printable(text):
    """Replaces control characters, so that a name in a bundle cannot control the terminal."""
    return ''.join('\ufffd' if unicodedata.category(one)[0] == 'C' else one for one in text)


if __name__ == '__main__':
    main()
