"""Step 1: the signature and the manifest of a bundle."""
import uuid

from archive import open_zip
from catalog import VERSION
from evaluation import CONTROLS
from notes import key_text, open_note, signers_of
from texts import canonical, is_count, is_record, is_text, is_time, need, parsed, sha256, text_of, units


SCOPE = ['org', 'name', 'period', 'repositories', 'redaction', 'controls', 'supersedes', 'ledger', 'evaluated']
MANIFEST = SCOPE + ['bundleId', 'catalog', 'files', 'generator', 'population', 'report', 'codeHosts', 'people', 'v']
REDACTIONS = ['none', 'names', 'people', 'all']
OURS = uuid.uuid5(uuid.NAMESPACE_URL, 'https://sightline.dev/bundle')


class Bundle:
    """A bundle with a verified signature: its manifest, its files, and the signing key."""

    def __init__(self, data, keys):
        unpack, last, before = open_zip(data)
        need(last == 'manifest.sig', 'The bundle does not end with its signature')
        need('manifest.json' in unpack, 'manifest.json is missing')
        note = text_of(unpack[last](), last)
        said, signed = open_note(note, keys)
        need(len(signers_of(note)) == 1, 'The bundle has more than one signature')
        archive = f'\narchive {sha256(before).hex()}\n'
        need(said.endswith(archive), 'The signature is for different content')
        content = unpack['manifest.json']()
        told = f'sightline.dev/bundle@v1\nsha256 {sha256(content).hex()}{archive}'
        need(said == told, 'The signature is for different content')
        self.manifest = parsed(text_of(content, 'manifest.json'), 'manifest.json')
        refuse_manifest(self.manifest)
        self.key = next((key for key in signed if key[0] == self.manifest['ledger']['origin'] and key[2] == 1), None)
        need(self.key is not None, 'The bundle is signed with the key of another log')
        self.files = {path: unpack_one() for path, unpack_one in unpack.items()}
        need(self.files.get('keys/vkey.txt') == f'{key_text(self.key)}\n'.encode(),
             'The key inside the bundle is not its signing key')


def refuse_manifest(of):
    need(is_record(of, MANIFEST), 'The manifest has unexpected or missing fields')
    is_ours = is_count(of['v']) and of['v'] == 1 and of['generator'] == 'Sightline bundle 1'
    need(is_ours, 'The bundle has an unsupported version')
    need(of['catalog'] == VERSION, f'This program uses version {VERSION} of the catalog')
    need(of['supersedes'] is None or is_text(of['supersedes']), 'The superseded bundle in the manifest is invalid')
    need(of['report'] in ('pdf', 'none'), 'The report format in the manifest is invalid')
    org, period, ledger, evaluated, population = (of[one] for one in ('org', 'period', 'ledger', 'evaluated', 'population'))
    repositories, controls = of['repositories'], of['controls']
    need(is_record(org, ['id', 'name']) and all(map(is_text, org.values())) and is_text(of['name']),
         'The organization or name in the manifest is invalid')
    need(is_record(period, ['from', 'to']) and all(map(is_time, period.values())) and period['from'] < period['to'],
         'The period in the manifest is invalid')
    need(repositories is None or is_ordered(repositories), 'The repositories in the manifest are invalid')
    need(of['redaction'] in REDACTIONS, 'The redaction in the manifest is invalid')
    need(isinstance(controls, list) and controls and controls == [one for one in CONTROLS if one in controls],
         'The controls in the manifest are invalid')
    need(is_record(ledger, ['origin', 'epoch', 'size']) and is_text(ledger['origin']) and is_count(ledger['epoch'])
         and is_count(ledger['size']), 'The ledger in the manifest is invalid')
    need(is_record(evaluated, ['size', 'root']) and is_count(evaluated['size']) and evaluated['size'] <= ledger['size']
         and is_text(evaluated['root']), 'The evaluated tree in the manifest is invalid')
    need(is_record(population, ['from', 'to', 'kinds']) and is_count(population['from']) and is_count(population['to'])
         and is_ordered(population['kinds']), 'The counted range in the manifest is invalid')
    need(isinstance(of['codeHosts'], list), 'The code hosts in the manifest are not a list')
    need(isinstance(of['people'], list), 'The accounts in the manifest are not a list')
    named = uuid.uuid5(OURS, canonical({one: of[one] for one in SCOPE}))
    need(str(named) == of['bundleId'], 'The ID of the bundle does not match its content')


def is_ordered(texts):
    return isinstance(texts, list) and all(map(is_text, texts)) and all(
        units(one) < units(other) for one, other in zip(texts, texts[1:]))
