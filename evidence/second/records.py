"""Step 8 for files derived from the ledger: repositories, policies, waivers, remediations, and digests with their reviews."""
import json

from remediations import check_remediations, remediations_in
from repositories import repositories_in
from rows import changes_of
from texts import canonical, hash_of, is_record, is_text, need, parsed, sha256, text_of, units

POLICY = 'audit.policy.'
WAIVER_KINDS = {'audit.waiver.': 'control', 'audit.finding.waiver_': 'finding'}
TOLD = ['name', 'kind', 'mode', 'scope', 'settings']


def check_records(bundle):
    evaluated, period = bundle.manifest['evaluated']['size'], bundle.manifest['period']
    entries = [(index, entry) for index, entry in bundle.entries.items() if index < evaluated]
    check_code_hosts(bundle)
    check_people(bundle)
    policies, waivers = policies_in(entries, period), waivers_in(entries, period)
    repositories = repositories_in(bundle)
    same(bundle, 'repositories.jsonl', repositories)
    same(bundle, 'policies.jsonl', policies)
    same(bundle, 'waivers.jsonl', waivers)
    remediations = remediations_in(bundle)
    same(bundle, 'remediations.jsonl', remediations)
    check_remediations(bundle, remediations)
    check_held(bundle)
    digests = check_digests(bundle, entries)
    hosts = '; '.join(host_line(one) for one in bundle.manifest['codeHosts'])
    people = '; '.join(person_line(one) for one in bundle.manifest['people'])
    return (f'{len(policies)} versions of policies, {len(waivers)} waivers, {len(remediations)} remediations '
            f'and {digests} digests. '
            f'Code hosts: {hosts or "none"}. Accounts: {people or "none"}. '
            f'Repositories disabled during the period: {disabled_in(repositories, period, bundle.opened_names[0]) or "none"}.'
            f'{names_line(bundle.opened_names)}')


def names_line(names):
    told = [f'{one} is {name}' for found in names for one, name in found.items()]
    return f' Names: {"; ".join(told)}.' if told else ''


def disabled_in(repositories, period, names):
    return ', '.join(f'{names[one["id"]]} ({one["id"]})' if one['id'] in names else one['id'] for one in repositories if not any(
        (span['from'] is None or span['from']['at'] <= period['from'])
        and (span['to'] is None or span['to']['at'] >= period['to']) for span in one['enabled']))


def host_line(one):
    by = f'connected by entry {one["connection"]}' if one['connection'] else 'the connection was not recorded'
    return f'{one["host"]}, {by}: repositories {", ".join(each["hostId"] for each in one["repositories"])}'


def check_code_hosts(bundle):
    """Verifies the code hosts, connections and repository IDs against the changes of the period."""
    manifest, hosts = bundle.manifest, {}
    for subject in changes_of_scope(bundle).values():
        origin = subject['origin']
        need(is_record(origin, ['host', 'connection', 'repository']) and is_text(origin['host'])
             and is_text(origin['repository']) and (origin['connection'] is None or is_text(origin['connection'])),
             'A change does not name its code host')
        key = canonical([origin['host'], origin['connection']])
        hosts.setdefault(key, set()).add(canonical([subject['repository'], origin['repository']]))
    made = []
    for key in sorted(hosts, key=units):
        host, connection = json.loads(key)
        repositories = [json.loads(one) for one in sorted(hosts[key], key=units)]
        made.append({'host': host, 'connection': connection,
                     'repositories': [{'id': one[0], 'hostId': one[1]} for one in repositories]})
    need(canonical(manifest['codeHosts']) == canonical(made), 'The code hosts in the manifest do not match the changes')


def person_line(one):
    accounts = ', '.join(f'{each["id"]} on {each["host"]}' for each in one['accounts'])
    return f'person {one["person"]} is account {accounts}'


def check_people(bundle):
    """Verifies the disclosed accounts of each opaque person against the changes of the period."""
    changes, people = changes_of_scope(bundle), {}
    for index, field, value in bundle.disclosed:
        if index in changes and field.startswith('account '):
            need(isinstance(value, str), f'The account that entry {index} discloses is invalid')
            account = canonical({'host': changes[index]['origin']['host'], 'id': value})
            people.setdefault(field.removeprefix('account '), set()).add(account)
    made = [{'person': one, 'accounts': [json.loads(each) for each in sorted(people[one], key=units)]}
            for one in sorted(people, key=units)]
    need(canonical(bundle.manifest['people']) == canonical(made),
         'The accounts in the manifest do not match the disclosures of the changes')


def changes_of_scope(bundle):
    period, repositories = bundle.manifest['period'], bundle.manifest['repositories']
    return {index: subject for index, subject in changes_of(bundle).items()
            if period['from'] <= subject['mergedAt'] < period['to']
            and (repositories is None or subject['repository'] in repositories)}


def same(bundle, path, made):
    text = ''.join(f'{canonical(one)}\n' for one in made)
    need(text_of(bundle.files[path], path) == text, f'{path} does not match the ledger')


def check_held(bundle):
    """Verifies what the ledger entry of the snapshot commits to: nothing of it was changed afterwards."""
    manifest, files = bundle.manifest, bundle.files
    scope = {one: manifest[one] for one in ('period', 'repositories')}
    subject = {**scope, 'evaluated': {'epoch': bundle.manifest['ledger']['epoch'], **bundle.manifest['evaluated']},
               'repositoriesSha256': sha256(bundle.files['repositories.jsonl']).hex(),
               'policiesSha256': sha256(bundle.files['policies.jsonl']).hex(),
               'waiversSha256': sha256(bundle.files['waivers.jsonl']).hex(),
               'remediationsSha256': sha256(bundle.files['remediations.jsonl']).hex(),
               'scopeSha256': hash_of({one: manifest[one] for one in ('controls', 'name', 'org', 'supersedes')}),
               'anchorsSha256': sha256(files['ledger/anchors.json']).hex(),
               'disclosedSha256': sha256(files['ledger/disclosed.jsonl']).hex(),
               'reportSha256': sha256(files['report.pdf']).hex() if 'report.pdf' in files else None}
    # A bundle without names has no report, because the report names repositories.
    is_named = manifest['redaction'] != 'all'
    of_scope = [entry['subject'] for entry in bundle.entries.values() if entry['kind'] == 'snapshot.records'
                and canonical({one: entry['subject'].get(one) for one in scope}) == canonical(scope)]
    need(of_scope, 'The ledger entry of the snapshot is missing')
    if not is_named:
        subject['reportSha256'] = of_scope[-1].get('reportSha256')
    differ = [one for one in subject if of_scope[-1].get(one) != subject[one]]
    need(canonical(of_scope[-1]) == canonical(subject),
         f'{" and ".join(differ) or "A field"} of the bundle does not match the ledger entry of the snapshot')


def told_by(index, entry):
    return {'at': entry['asOf'], 'by': entry['person'], 'entry': index}


def policies_in(entries, period):
    """Returns the policy versions in force at any time in the period."""
    versions = {}
    for index, entry in entries:
        if not entry['kind'].startswith(POLICY):
            continue
        what, policy, data = entry['kind'][len(POLICY):], entry['subject']['id'], entry['subject']['data']
        number, at = data['version'], told_by(index, entry)
        if what in ('changed', 'deleted'):
            ended = number - 1 if what == 'changed' else number
            known = versions.setdefault((policy, ended), version_of(policy, ended, data['before'], None))
            known['ended'] = at
        if what != 'deleted':
            versions[policy, number] = version_of(policy, number, data['after'], at)
    held = [one for one in versions.values() if (one['made'] is None or one['made']['at'] < period['to'])
            and (one['ended'] is None or one['ended']['at'] > period['from'])]

    def place(one):
        return -1 if one['made'] is None else one['made']['entry'], one['id'], one['version']

    return sorted(held, key=place)


def version_of(policy, number, said, made):
    return {**{one: said[one] for one in TOLD}, 'id': policy, 'version': number, 'made': made, 'ended': None}


def waivers_in(entries, period):
    """Returns the waivers requested before the end of the period that did not end before its start."""
    stories, current = [], {}
    for index, entry in entries:
        start = next((one for one in WAIVER_KINDS if entry['kind'].startswith(one)), None)
        if start is None:
            continue
        what, at, of = entry['kind'][len(start):], told_by(index, entry), WAIVER_KINDS[start]
        key = (of, entry['subject']['id'])
        story = current.get(key)
        if story is None or (of == 'finding' and (what == 'requested' or is_over(story))):
            story = {'about': about_of(of, entry['subject']), 'requested': None, 'decided': None, 'ended': None}
            current[key] = story
            stories.append(story)
        if what == 'requested':
            story['requested'] = at
        else:
            story['decided' if what in ('approved', 'refused') else 'ended'] = {**at, 'as': what}
        story['until'] = entry['subject']['data']['until']
    return [one for one in stories if (one['requested'] is None or one['requested']['at'] < period['to'])
            and end_of(one) > period['from']]


def about_of(kind, subject):
    data = subject['data']
    if kind == 'control':
        return {'control': data['control'], 'id': subject['id'], 'subject': data['subject']}
    return {'finding': subject['id'], 'repository': data['repository']}


def is_over(story):
    return story['ended'] is not None or is_refused(story)


def is_refused(story):
    return story['decided'] is not None and story['decided']['as'] == 'refused'


def end_of(story):
    if story['ended'] is not None:
        return story['ended']['at']
    return story['decided']['at'] if is_refused(story) else story['until']


def check_digests(bundle, entries):
    manifest, period = bundle.manifest, bundle.manifest['period']
    made = {entry['subject']['digest']: (index, entry) for index, entry in entries
            if entry['kind'] == 'digest.created' and index >= manifest['population']['from']
            and entry['subject']['to'] > period['from'] and entry['subject']['from'] < period['to']
            and (manifest['repositories'] is None or entry['subject']['repository'] in manifest['repositories'])}
    there = {path[len('digests/'):-len('.json')] for path in bundle.files if path.startswith('digests/')}
    need(there == set(made), 'The bundle does not contain exactly the digests of the period')
    for digest, (index, entry) in made.items():
        path = f'digests/{digest}.json'
        told = parsed(text_of(bundle.files[path], path), path)
        need(hash_of(told['body']) == entry['subject']['body'], f'{path} does not match the signed digest')
        reviews = [review_of(place, one) for place, one in entries if one['kind'] == 'audit.digest.reviewed'
                   and one['subject']['id'] == digest]
        signed = {review.pop('body') for review in reviews}
        need(signed <= {entry['subject']['body']}, f'{path}: a review signs a different digest')
        whole = {'body': told['body'], 'made': {'at': entry['receivedAt'], 'entry': index}, 'reviews': reviews}
        need(canonical(told) == canonical(whole), f'{path} does not match the ledger')
    return len(made)


def review_of(index, entry):
    data = entry['subject']['data']
    return {**told_by(index, entry), **{one: data[one] for one in ('body', 'completes', 'decision', 'items')}}
