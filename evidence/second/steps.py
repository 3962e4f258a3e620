"""Steps 2 to 6 and 9: each receives the parts read so far, returns its finding, and raises for a violation."""
import base64
import json
import re
from bisect import bisect_left

from notes import open_note, signers_of
from timestamp import is_timestamp_of
from texts import (Refused, base64_of, canonical, hash_of, is_count, is_record, is_strings, is_time, lines_of, need, parsed,
                   sha256, text_of, units, url64)
from repositories import KINDS as REPOSITORY_KINDS, repositories_of
from tree import is_consistent, is_included, root_of

# Step 2: the files

TYPES = {'json': 'application/json', 'jsonl': 'application/jsonl', 'csv': 'text/csv; charset=utf-8',
         'pdf': 'application/pdf', 'tsr': 'application/timestamp-reply'}
ALWAYS = ['README.txt', 'changes.jsonl', 'controls/catalog.json', 'csv/controls.csv', 'csv/excluded.csv', 'csv/names.csv',
          'csv/remediations.csv', 'csv/weakenings.csv', 'waivers.jsonl', 'missing-evidence.json',
          'keys/vkey.txt', 'ledger/anchors.json', 'ledger/checkpoint', 'ledger/consistency.jsonl', 'ledger/disclosed.jsonl',
          'ledger/entries.jsonl', 'oscal/assessment-plan.json', 'oscal/assessment-results.json', 'oscal/catalog.json', 'policies.jsonl', 'remediations.jsonl',
          'repositories.jsonl']
# Step 8 verifies whether the plan of action has to exist.
OPTIONAL = ['ledger/checkpoint.tsr', 'oscal/poam.json']


def check_files(bundle):
    there = sorted(path for path in bundle.files if path not in ('manifest.json', 'manifest.sig'))
    said = [{'path': path, 'size': len(bundle.files[path]), 'sha256': sha256(bundle.files[path]).hex(),
             'mediaType': TYPES.get(path.rpartition('.')[2], 'text/plain; charset=utf-8')} for path in there]
    need(canonical(said) == canonical(bundle.manifest['files']), 'The files do not match the manifest')
    is_named = bundle.manifest['redaction'] != 'all'
    need(is_named or bundle.manifest['report'] == 'none', 'The report of a bundle without names names them')
    needed = ALWAYS + ['ledger/disclosures.jsonl'] * is_named
    needed += ['report.pdf'] * (bundle.manifest['report'] == 'pdf')
    for control in bundle.manifest['controls']:
        needed += [f'controls/{control}.json', f'csv/{control}.csv', f'evidence/{control}.jsonl',
                   f'excluded/{control}.jsonl']
    digests = {path for path in there if re.fullmatch(r'digests/[0-9a-f-]{36}\.json', path)}
    missing, stray = set(needed) - set(there), set(there) - set(needed) - set(OPTIONAL) - digests
    need(not missing and not stray, f'{", ".join(sorted(missing | stray))} is missing or not a file of a bundle')
    return f'{len(there)} files.'


# Step 3: the checkpoint

def open_checkpoint(bundle, witnesses=()):
    origin = bundle.manifest['ledger']['origin']
    note = text_of(bundle.files['ledger/checkpoint'], 'ledger/checkpoint')
    text, signed = open_note(note, [bundle.key, *witnesses])
    need(bundle.key in signed, 'The checkpoint is not signed with the key of the log')
    need(signers_of(note).count(origin) == 1, 'The checkpoint has more than one signature in the name of the log')
    lines = text.split('\n')
    need(len(lines) == 4 and lines[0] == origin, 'The checkpoint belongs to another log')
    need(re.fullmatch(r'0|[1-9][0-9]{0,15}', lines[1]) is not None, 'The size of the checkpoint is not a number')
    root = base64_of(lines[2])
    need(len(root) == 32, 'The root of the checkpoint is not a hash')
    return int(lines[1]), root, signed


def check_checkpoint(bundle, witnesses):
    size, root, signed = open_checkpoint(bundle, witnesses)
    need(size == bundle.manifest['ledger']['size'], 'The checkpoint and the manifest state different sizes')
    bundle.size, bundle.root, bundle.cosigned = size, root, [key[0] for key in signed if key != bundle.key]
    anchors = parsed(text_of(bundle.files['ledger/anchors.json'], 'ledger/anchors.json'), 'ledger/anchors.json')
    need(isinstance(anchors, list) and all(is_anchor(one) for one in anchors),
         'ledger/anchors.json contains an invalid anchor')
    bundle.earlier = {size: root}
    trees = lines_of(bundle.files, 'ledger/consistency.jsonl', ['size', 'root', 'proof'])
    sizes = [one['size'] for one in trees]
    need(sizes == sorted(set(sizes)), 'ledger/consistency.jsonl is not in ascending order of size')
    for one in trees:
        before = base64_of(one['root'])
        need(is_consistent(one['size'], before, size, root, proof_of(one)),
             f'The tree of {one["size"]} entries is not a prefix of the ledger')
        bundle.earlier[one['size']] = before
    evaluated = bundle.manifest['evaluated']
    root_then = bundle.earlier.get(evaluated['size'])
    need(root_then == base64_of(evaluated['root']),
         'The proof that the evaluated tree is a prefix of the ledger is missing')
    stamp, text = bundle.files.get('ledger/checkpoint.tsr'), f'{bundle.manifest["ledger"]["origin"]}\n{size}\n'
    need(stamp is None or is_timestamp_of(stamp, f'{text}{base64.b64encode(root).decode()}\n'.encode()),
         'The timestamp is not one of the checkpoint')
    by = f'Cosigned by {", ".join(bundle.cosigned)}.' if bundle.cosigned else 'No cosignature was verified.'
    return f'{size} entries, root {base64.b64encode(root).decode()}. {by}'


def is_anchor(one):
    return is_record(one, ['kind', 'party', 'size', 'at']) and is_count(one['size']) and is_strings(
        [one[name] for name in ('kind', 'party', 'at')])


def proof_of(one):
    need(isinstance(one['proof'], list), 'A proof is not a list of hashes')
    return [base64_of(each) for each in one['proof']]


# Steps 4 and 5: entries and their disclosures

ENTRY = ['asOf', 'id', 'kind', 'org', 'person', 'receivedAt', 'source', 'subject', 'v']


def check_entries(bundle):
    bundle.entries, last = {}, -1
    for one in lines_of(bundle.files, 'ledger/entries.jsonl', ['index', 'entry', 'proof']):
        index, text = one['index'], one['entry']
        need(is_count(index) and index > last and isinstance(text, str), 'The entries are not in order')
        last = index
        entry = parsed(text, f'Entry {index}')
        has = isinstance(entry, dict) and '_sd_alg' in entry
        need(is_record(entry, ENTRY + ['_sd', '_sd_alg'] * has), f'Entry {index} has unexpected or missing fields')
        need(is_count(entry['v']) and entry['v'] == 1, f'Entry {index} has an unsupported version')
        commitments = entry.get('_sd', [])
        need(not has or (entry['_sd_alg'] == 'sha-256' and commitments and is_strings(commitments)
                         and commitments == sorted(set(commitments))), f'The commitments of entry {index} are invalid')
        need(is_strings([entry[name] for name in ('asOf', 'receivedAt', 'id', 'kind', 'org', 'source')]),
             f'A field of entry {index} is not text')
        need(entry['person'] is None or isinstance(entry['person'], str), f'The person of entry {index} is invalid')
        need(isinstance(entry['subject'], dict), f'The subject of entry {index} is invalid')
        need(entry['org'] == bundle.manifest['org']['id'], f'Entry {index} belongs to another organization')
        leaf = sha256(b'\x00' + text.encode())
        need(is_included(leaf, index, bundle.size, proof_of(one), bundle.root),
             f'Entry {index} does not match the ledger')
        bundle.entries[index] = {**entry, 'leaf': leaf, 'sd': commitments}
    return f'{len(bundle.entries)} entries.'


def check_disclosures(bundle, key=None):
    """Verifies the disclosures of the bundle, and those that a disclosure key of the organization adds."""
    redaction = bundle.manifest['redaction']
    bundle.snapshot = lines_of(bundle.files, 'ledger/disclosed.jsonl', ['person', 'count', 'sha256'])
    need(all(is_count(one['count']) and is_strings([one['person'], one['sha256']]) for one in bundle.snapshot)
         and all(units(one['person']) < units(other['person']) for one, other in zip(bundle.snapshot, bundle.snapshot[1:])),
         'ledger/disclosed.jsonl contains an invalid number of disclosures')
    own = [] if redaction == 'all' else lines_of(bundle.files, 'ledger/disclosures.jsonl', ['index', 'disclosure'])
    opened = [open_one(bundle, one) for one in own]
    shown = check_opened(bundle, opened, redaction)
    added = [] if key is None else [one for one in disclosures_of_key(bundle, key) if one not in opened]
    everything = opened + added
    if key is not None:
        shown = check_opened(bundle, everything, 'none')
    bundle.disclosed = [(index, field, value) for index, _, field, value, _ in opened]
    bundle.names = names_in(bundle, opened)
    bundle.opened_names = names_in(bundle, everything)
    bundle.undisclosed = len(bundle.snapshot) - shown if key is not None or redaction in ('none', 'names') else 0
    seal = seal_of(bundle)
    # Entries of other snapshots commit to names that only their bundles disclose.
    committed = sum(len(entry['sd']) for index, entry in bundle.entries.items()
                    if entry['kind'] != 'snapshot.records' or index == seal)
    by_key = '' if key is None else f' {len(added)} of them by the given key.'
    return f'{len(everything)} disclosed, {committed - len(everything)} redacted.{by_key}'


def open_one(bundle, one):
    """Returns the index, commitment, field and value of a disclosure, and to whom it belongs: None is a repository."""
    index, text = one['index'], one['disclosure']
    need(is_count(index) and index in bundle.entries and isinstance(text, str),
         'A disclosure refers to a missing entry')
    entry, commitment = bundle.entries[index], url64(sha256(text.encode()))
    need(commitment in entry['sd'], f'The disclosure matches no commitment of entry {index}')
    data = base64_of(text.replace('-', '+').replace('_', '/') + '=' * (-len(text) % 4))
    need(url64(data) == text, 'A disclosure is not base64url')
    value = json_of(text_of(data, 'A disclosure'))
    need(isinstance(value, list) and len(value) == 3 and is_strings(value[:2]), 'A disclosure is invalid')
    field, person = value[1], entry['person']
    if field.startswith('account '):
        person = field.removeprefix('account ')
    elif field.startswith('name '):
        person = None if entry['kind'] in REPOSITORY_KINDS else field.removeprefix('name ')
        need(isinstance(value[2], str), f'The name that entry {index} discloses is invalid')
        return index, commitment, field, value[2], person
    need(person is not None, f'A disclosure of entry {index} belongs to no person')
    return index, commitment, field, value[2], person


def check_opened(bundle, opened, redaction):
    """Verifies that exactly the data is disclosed that a redaction permits. Returns the number of disclosed persons."""
    seen, by_person, people, repositories = set(), {}, [], []
    for index, commitment, field, _, person in opened:
        need((index, commitment) not in seen, f'A commitment of entry {index} is disclosed twice')
        seen.add((index, commitment))
        if not field.startswith('name '):
            by_person.setdefault(person, []).append([index, commitment])
        elif person is None:
            repositories.append((index, field.removeprefix('name ')))
        else:
            people.append(index)
    shown = [{'person': person, 'count': len(all_of), 'sha256': hash_of(sorted(all_of))}
             for person, all_of in by_person.items()]
    need(all(one in bundle.snapshot for one in shown), 'The disclosures of a person are not all those of the snapshot')
    seal = seal_of(bundle)
    need(all(index == seal for index in people), 'A name of a person is not that of the snapshot')
    need((redaction == 'none' or not people) and (redaction in ('none', 'names') or not shown),
         'The bundle discloses data that it states as redacted')
    scope, size = bundle.manifest['repositories'], bundle.manifest['evaluated']['size']
    named = sorted((index, one) for index, entry in bundle.entries.items()
                   if redaction != 'all' and index < size and entry['kind'] in REPOSITORY_KINDS
                   for one in repositories_of(entry) if scope is None or one in scope)
    need(sorted(repositories) == named, 'The disclosed names of repositories are not those of the entries about them')
    return len(shown)


def seal_of(bundle):
    """Returns the index of the ledger entry of the snapshot."""
    scope = {one: bundle.manifest[one] for one in ('period', 'repositories')}
    return max((index for index, entry in bundle.entries.items() if entry['kind'] == 'snapshot.records'
                and canonical({one: entry['subject'].get(one) for one in scope}) == canonical(scope)), default=None)


def disclosures_of_key(bundle, key):
    told = parsed(text_of(key, 'The disclosure key'), 'The disclosure key')
    need(is_record(told, ['type', 'origin', 'snapshot', 'disclosures']) and isinstance(told['disclosures'], list)
         and told['type'] == 'sightline.dev/disclosure-key@v1', 'The file given as disclosure key is not one')
    seal = seal_of(bundle)
    need(seal is not None and told['origin'] == bundle.manifest['ledger']['origin']
         and told['snapshot'] == bundle.entries[seal]['id'], 'The disclosure key is that of another bundle')
    need(all(is_record(one, ['index', 'disclosure']) for one in told['disclosures']), 'A disclosure is invalid')
    opened = [open_one(bundle, one) for one in told['disclosures']]
    need(len({one[:2] for one in opened}) == len(opened), 'A commitment is disclosed twice')
    return opened


def names_in(bundle, opened):
    """Returns the last name of each repository, and the names of persons, by ID."""
    repositories, people = {}, {}
    for index, _, field, value, person in sorted(opened, key=lambda one: one[0]):
        if field.startswith('name '):
            (repositories if person is None else people)[field.removeprefix('name ')] = value
    return repositories, people


def json_of(text):
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Refused('A disclosure is invalid') from None


# Step 6: the census

WAIVER_STEPS = ['approved', 'ended', 'expired', 'refused', 'requested', 'withdrawn']
WHOLE = ['audit.digest.reviewed', *(f'audit.finding.waiver_{one}' for one in WAIVER_STEPS if one != 'ended'),
         *(f'audit.policy.{one}' for one in ('changed', 'created', 'deleted', 'restored')),
         *(f'audit.remediation.{one}' for one in ('changed', 'retested')),
         *(f'audit.repository.{one}' for one in ('disabled', 'enabled')),
         *(f'audit.waiver.{one}' for one in WAIVER_STEPS),
         'change', 'digest.created', 'repository.listed', 'repository.unlisted', 'snapshot.control', 'snapshot.records']


def check_census(bundle):
    manifest, entries = bundle.manifest, bundle.entries
    start, end, kinds = (manifest['population'][one] for one in ('from', 'to', 'kinds'))
    need(kinds == WHOLE, 'The bundle does not claim completeness for the required kinds')
    need(manifest['evaluated']['size'] <= end <= bundle.size, 'The census does not cover all evaluated entries')
    if start > 0:
        before = entries.get(start - 1, {'kind': None})
        need(before['kind'] == 'census' and is_time(before['asOf']) and before['asOf'] <= manifest['period']['from'],
             'The census starts after the period. Earlier entries could be missing')
    chain = [(index, one['subject']) for index, one in entries.items() if one['kind'] == 'census' and index >= start]
    at, places = start, list(entries)
    for index, census in chain:
        need(is_record(census, ['from', 'to', 'kinds']), f'The census at entry {index} is invalid')
        need(census['from'] == at and census['to'] == index, f'The census is not continuous before entry {index}')
        counts = census['kinds'].values()
        need(all(is_record(one, ['count', 'root']) and is_count(one['count']) and one['count'] for one in counts)
             and sum(one['count'] for one in counts) == index - at, f'The census counts at entry {index} do not match')
        within = [entries[place] for place in places[bisect_left(places, at):bisect_left(places, index)]]
        for kind in kinds:
            leaves = [one['leaf'] for one in within if one['kind'] == kind]
            said = census['kinds'].get(kind, {'count': 0, 'root': url64(root_of([]))})
            need(said == {'count': len(leaves), 'root': url64(root_of(leaves))},
                 f'The census counts of kind {kind} do not match up to entry {index}')
        at = index + 1
    need(chain and chain[-1][0] == end, 'The census does not end where the bundle states')
    return f'{len(chain)} censuses from entry {start} up to {end}.'


# Step 9: an earlier bundle of the same ledger

def check_previous(bundle, old):
    need(old.manifest['org']['id'] == bundle.manifest['org']['id'],
         'The earlier bundle belongs to another organization')
    need(old.manifest['ledger']['origin'] == bundle.manifest['ledger']['origin'],
         'The ledger was restarted after the earlier bundle')
    size, root, _ = open_checkpoint(old)
    need(size <= bundle.size, 'The bundle given as the earlier one is later. Swap the two')
    need(bundle.earlier.get(size) == root,
         f'The proof that the ledger of the earlier bundle, {size} entries, is a prefix of this one is missing')
    return f'It grew from {size} to {bundle.size} entries without changing earlier ones.'
