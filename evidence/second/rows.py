"""Step 7: evaluates rows again, and compares rows, counts, samples and runs with the ledger."""
from evaluation import applies, evaluate
from repositories import check_recorded
from texts import (Refused, canonical, hash_of, is_count, is_strings, is_text, lines_of, need, parsed, sha256, text_of,
                   units)


VERDICTS = ['pass', 'fail', 'waived', 'missing_evidence']
POLICY_KINDS = [f'audit.policy.{one}' for one in ('changed', 'created', 'deleted', 'restored')]
# Every change that these controls are about has a row; of the second list, missing rows cannot be detected.
OF_ALL_CHANGES = ['CHG-01', 'CHG-03', 'CHG-05', 'CHG-06']
OF_CHANGES = [*OF_ALL_CHANGES, 'SCN-01', 'AI-01']


def check_rows(bundle):
    bundle.parts = {}
    for one in lines_of(bundle.files, 'changes.jsonl', ['index', 'parts']):
        entry = bundle.entries.get(one['index']) if is_count(one['index']) else None
        need(entry and entry['kind'] == 'change' and one['index'] not in bundle.parts and isinstance(one['parts'], dict)
             and hash_of(one['parts']) == entry['subject'].get('parts'), 'The parts of a change do not match its entry')
        bundle.parts[one['index']] = one['parts']
    changes, bundle.controls = changes_of(bundle), []
    catalog = parsed(text_of(bundle.files['controls/catalog.json'], 'the catalog'), 'controls/catalog.json')
    # Step 8 compares the catalog with the known one.
    bundle.defaults = {one['id']: {name: parameter['default'] for name, parameter in one['parameters'].items()}
                       for one in catalog['controls']}
    count = sum(check_control(bundle, control, changes) for control in bundle.manifest['controls'])
    return f'{count} items of {len(bundle.manifest["controls"])} controls.'


def changes_of(bundle):
    """Returns the latest version of each change below the evaluated size, by entry index."""
    last = {}
    for index, entry in bundle.entries.items():
        if entry['kind'] == 'change' and index < bundle.manifest['evaluated']['size']:
            subject = entry['subject']
            known = last.get(subject.get('change'))
            if known is None or known[1].get('version') < subject.get('version'):
                last[subject.get('change')] = (index, subject)
    # A push that turned out to belong to a pull request is not a change of its own.
    return {index: one for index, one in last.values() if one.get('push') is None or one.get('number') is None}


def check_control(bundle, control, changes):
    manifest, path = bundle.manifest, f'evidence/{control}.jsonl'
    told = parsed(text_of(bundle.files[f'controls/{control}.json'], control), f'controls/{control}.json')
    lines = lines_of(bundle.files, path, ['row', 'setting', 'verdict', 'reasons'])
    rows = [line['row'] for line in lines]
    outside, excluded = f'excluded/{control}.jsonl', []
    for line in lines_of(bundle.files, outside, ['row', 'setting', 'parameters', 'isExcludedByDefault']):
        need(is_count(line['setting']) and is_strings(line['parameters']) and line['parameters']
             and isinstance(line['isExcludedByDefault'], bool), f'{control}: an excluded item lacks its parameters')
        excluded.append(line)
    every = rows + [line['row'] for line in excluded]
    need(all(is_text(row['subject']) for row in every), f'{control}: an item has no subject')
    need(len({row['subject'] for row in every}) == len(every), f'{control}: two items have the same subject')
    made, outside_made = evaluate(control, every, told['settings'], bundle.defaults[control])
    need(canonical(lines) == canonical(made) and canonical(excluded) == canonical(outside_made),
         f'{control}: its items have a different result when evaluated again')
    exclusions = exclusions_of(excluded)
    counts = {'population': len(rows), **{one: sum(line['verdict'] == one for line in lines) for one in VERDICTS}}
    need(sum(counts.values()) == 2 * len(rows), f'{control}: a verdict is invalid')
    subject = {
        **{one: manifest[one] for one in ('catalog', 'period', 'repositories')}, 'control': control,
        'evaluated': {'epoch': manifest['ledger']['epoch'], **manifest['evaluated']},
        'settingsSha256': hash_of(told['settings']),
        'completeness': told['completeness'], 'counts': counts, 'exclusions': exclusions,
        'weakenings': weakenings_in(bundle, control),
        'status': status_of(counts, exclusions, told['completeness']),
        'rowsSha256': sha256(bundle.files[path]).hex(), 'excludedSha256': sha256(bundle.files[outside]).hex()}
    leaf = told.get('run')
    held = bundle.entries.get(leaf) if is_count(leaf) else None
    need(held and held['kind'] == 'snapshot.control' and canonical(held['subject']) == canonical(subject),
         f'{control}: the evaluation in the ledger does not match the bundle')
    scope = [subject[one] for one in ('control', 'period', 'repositories')]
    need(not any(index > leaf and entry['kind'] == 'snapshot.control' and [entry['subject'].get(one) for one in
         ('control', 'period', 'repositories')] == scope for index, entry in bundle.entries.items()),
         f'{control}: it was evaluated again later, and the bundle does not include that evaluation')
    made = {**subject, 'id': control, 'settings': told['settings'], 'run': leaf, 'evidence': path, 'excluded': outside,
            'sample': sample_of(control, manifest, rows)}
    need(canonical(told) == canonical(made), f'{control}: its counts or sample do not match')
    for row in every:
        rests = [row['leaf']] * (row.get('leaf') is not None) + row['leaves']
        need(all(one in bundle.entries and one < manifest['evaluated']['size'] for one in rests),
             f'{control}: {row["subject"]} depends on an entry that is missing')
    check_recorded(bundle, control, every, held['asOf'])
    if control in OF_CHANGES and not (manifest['ledger']['epoch'] > 1 and any(row['leaf'] is None for row in every)):
        for row in every:
            compare(bundle, control, row, changes)
        if control in OF_ALL_CHANGES:
            check_none_missing(bundle, control, {row['leaf'] for row in every}, changes)
    bundle.controls.append({**made, 'lines': lines})
    return len(rows)


def exclusions_of(excluded):
    """Counts excluded rows by parameter and version of the setting."""
    counts = {}
    for line in excluded:
        for parameter in line['parameters']:
            one = counts.setdefault((parameter, line['setting']), {'parameter': parameter, 'setting': line['setting'],
                                                                   'items': 0, 'byDefault': 0})
            one['items'] += 1
            one['byDefault'] += line['isExcludedByDefault']
    return [counts[key] for key in sorted(counts, key=lambda key: (units(key[0]), key[1]))]


def weakenings_in(bundle, control):
    """Returns the weakenings that changes of policies in the period recorded for a control."""
    period, weakenings = bundle.manifest['period'], []
    for index, entry in bundle.entries.items():
        if entry['kind'] not in POLICY_KINDS or index >= bundle.manifest['evaluated']['size']:
            continue
        data, by = entry['subject']['data'], entry['person']
        requester = data.get('requestedBy')
        if period['from'] <= entry['asOf'] < period['to']:
            weakenings += [{
                **{name: one[name] for name in ('parameter', 'repositories', 'before', 'after')},
                'entry': index, 'at': entry['asOf'], 'policy': entry['subject']['id'], 'version': data['version'],
                'author': by if requester is None else requester, 'approver': None if requester in (None, by) else by,
                'selfApproved': requester is not None and requester == by,
            } for one in data.get('weakened', []) if one['control'] == control]
    return weakenings


def status_of(counts, exclusions, completeness):
    is_whole = all(not one['isIndependent'] or (one['expected'] is not None and one['found'] >= one['expected'])
                   for one in completeness)
    if counts['fail']:
        return 'failing'
    if counts['missing_evidence'] or not is_whole:
        return 'missing_evidence'
    if counts['population']:
        return 'passing'
    return 'missing_evidence' if any(one['items'] > one['byDefault'] for one in exclusions) else 'not_applicable'


def sample_of(control, manifest, rows):
    seed = f'{manifest["evaluated"]["root"]}/{control}/{manifest["period"]["from"]}/{manifest["period"]["to"]}'

    def place(row):
        named = row['subject'] if row['leaf'] is None else row['leaf']
        return sha256(f'{seed}\n{named}'.encode()), units(row['subject'])

    drawn = sorted(rows, key=place)[:25]
    return {'seed': seed, 'size': 25, 'rows': [{'leaf': row['leaf'], 'subject': row['subject']} for row in drawn]}


def compare(bundle, control, row, changes):
    """Verifies that a row equals the entry of its change in all common facts."""
    manifest, subject = bundle.manifest, changes.get(row['leaf'])
    need(subject is not None and row['subject'] == f'change:{subject["change"]}'
         and manifest['period']['from'] <= subject['mergedAt'] < manifest['period']['to']
         and (manifest['repositories'] is None or subject['repository'] in manifest['repositories']),
         f'{control}: {row["subject"]} is not the latest version of a change in the period')
    told = fields_of(bundle, row['leaf'], subject)
    for name, value in row.items():
        need(name not in told or canonical(told[name]) == canonical(value),
             f'{control}: {name} of {row["subject"]} does not match entry {row["leaf"]}')


def fields_of(bundle, leaf, subject):
    """Returns the facts of a change under the names of the fields of rows."""
    need(leaf in bundle.parts, f'The parts of the change of entry {leaf} are missing')
    parts = bundle.parts[leaf]

    def known(value, missing):
        return {'state': 'missing'} if value == missing else {'state': 'complete', 'value': value}

    return {**{name: value for name, value in parts.items() if name != 'ai'}, 'attributions': parts.get('ai'),
            **{name: subject.get(name) for name in ('repository', 'branch', 'isDefaultBranch', 'mergedAt')},
            'mergeMethod': known(subject.get('mergeMethod'), 'unknown'), 'mergeSha': known(subject.get('mergeSha'), None)}


def check_none_missing(bundle, control, leaves, changes):
    """Verifies that every change in scope that a control is about has a row."""
    period, repositories = bundle.manifest['period'], bundle.manifest['repositories']
    for leaf, subject in changes.items():
        is_in_scope = period['from'] <= subject['mergedAt'] < period['to'] and (
            repositories is None or subject['repository'] in repositories)
        need(not is_in_scope or leaf in leaves or not is_about(bundle, control, leaf, subject),
             f'{control}: the change of entry {leaf} is missing')


def is_about(bundle, control, leaf, subject):
    """Whether a control is about a change. A change that cannot be evaluated must have a row."""
    if control != 'CHG-01' and subject.get('mergeMethod') == 'direct_push':
        return False
    fields = fields_of(bundle, leaf, subject)
    try:
        return applies(control, fields)
    except (KeyError, TypeError, Refused):
        return True
