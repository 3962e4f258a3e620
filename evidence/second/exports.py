"""Step 8 for files derived from the evidence: README, catalog, CSV, missing evidence and OSCAL."""
import json
import re
import uuid

from catalog import SHA256
from evaluation import time_of
from plan import PLAN, plan
from remediations import key_of_row, last_of, remediated_at, remediations_in, texts_of
from texts import canonical, need, one_line, prop, sha256, text_of, units

PATHS = {'github': '{name}/pull/{number}', 'gitlab': '{name}/-/merge_requests/{number}',
         'bitbucket': '{name}/pull-requests/{number}', 'gitea': '{name}/pulls/{number}',
         'bitbucket-data-center': 'projects/{first}/repos/{second}/pull-requests/{number}',
         'azure-devops': '{parents}/_git/{last}/pullrequest/{number}', 'gerrit': 'c/{name}/+/{number}'}
COUNTS = ['population', 'pass', 'fail', 'waived', 'missing_evidence']
OSCAL = 'oscal/assessment-results.json'
ASSESSMENT_PLAN = 'oscal/assessment-plan.json'
CATALOG = 'oscal/catalog.json'
REMARKS = {'failing': 'Items fail.',
           'missing_evidence': 'Evidence is missing, the population may be incomplete, or settings exclude all of it.',
           'not_applicable': 'The population is empty.'}


def check_exports(bundle):
    manifest = bundle.manifest
    need(sha256(bundle.files['controls/catalog.json']).hex() == SHA256, 'controls/catalog.json does not match the catalog')
    told = json.loads(text_of(bundle.files['controls/catalog.json'], 'the catalog'))
    catalog = {one['id']: one for one in told['controls']}
    remediations = remediations_in(bundle)
    texts = texts_of(remediations, manifest['period'])
    made = {'README.txt': readme(manifest), **csv_files(bundle.controls, links_in(bundle), remediations, texts),
            'csv/names.csv': csv_of(names_table(bundle.names)),
            'missing-evidence.json': canonical([one for control in bundle.controls for one in missing_of(control)]),
            CATALOG: canonical(oscal_catalog(bundle, told)), ASSESSMENT_PLAN: canonical(assessment_plan(bundle, catalog)),
            OSCAL: canonical(oscal(bundle, catalog))}
    planned = plan(bundle, catalog, remediations, texts)
    need((planned is None) == (PLAN not in bundle.files), f'{PLAN} is missing or about nothing')
    made |= {} if planned is None else {PLAN: canonical(planned)}
    for path, text in made.items():
        need(bundle.files[path] == text.encode(), f'{path} does not match the evidence')
    return f'{len(made) + 1} files derived from the evidence.'


# CSV

def csv_files(controls, links, remediations, texts):
    tables = {
        'controls': [['control', 'status', *COUNTS]] + [
            [one['id'], one['status'], *(one['counts'][each] for each in COUNTS)] for one in controls],
        'excluded': [['control', 'parameter', 'setting', 'items', 'by_default']] + [
            [one['id'], *(each[name] for name in ('parameter', 'setting', 'items', 'byDefault'))]
            for one in controls for each in one['exclusions']],
        'remediations': remediation_table(remediations),
        'weakenings': [['control', 'at', 'policy', 'version', 'parameter', 'repositories', 'before', 'after', 'author',
                        'approver', 'self_approved', 'ledger_index']] + [
            [one['id'], *(each[name] for name in ('at', 'policy', 'version', 'parameter', 'repositories', 'before',
                                                  'after', 'author', 'approver')),
             'yes' if each['selfApproved'] else 'no', each['entry']]
            for one in controls for each in one['weakenings']]}
    for one in controls:
        tables[one['id']] = [['subject', 'repository', 'happened_at', 'verdict', 'reasons', 'setting', 'ledger_index',
                              'pull_request', 'link', 'remediation']] + [
            [line['row']['subject'], line['row']['repository'], time_of(one['id'], line['row']), line['verdict'],
             ' '.join(line['reasons']), line['setting'], line['row']['leaf'],
             *links.get(line['row']['leaf'], (None, None)), texts.get(key_of_row(one['id'], line['row']['subject']))]
            for line in one['lines']]
    return {f'csv/{name}.csv': csv_of(rows) for name, rows in tables.items()}


def csv_of(rows):
    return '\ufeff' + ''.join(f'{",".join(map(cell, row))}\r\n' for row in rows)


def names_table(names):
    return [['kind', 'id', 'name']] + [[kind, one, found[one]] for kind, found in zip(('repository', 'person'), names)
                                       for one in sorted(found, key=units)]


def remediation_table(remediations):
    rows = [['control', 'subject', 'repository', 'failed_at', 'period_from', 'period_to', 'reasons', 'owner', 'due_on',
             'ticket', 'remediated_at', 'retested_at', 'retest_result', 'retested_by', 'result', 'ledger_index']]
    for one in remediations:
        evaluation, last = one['failure']['evaluation'], last_of(one)
        for retest in one['retests'] or [{'at': None, 'result': None, 'by': None, 'entry': last['entry']}]:
            rows.append([one['control'], one['subject'], one['repository'], evaluation['at'],
                         evaluation['period']['from'], evaluation['period']['to'], ' '.join(one['failure']['reasons']),
                         last['owner'], last['dueOn'], last['ticketUrl'], remediated_at(one),
                         retest['at'], retest['result'], retest['by'], one['result'], retest['entry']])
    return rows


def links_in(bundle):
    """Returns the name and address of the pull request of each change in the counted range, by entry index."""
    names, links = bundle.names[0], {}
    start, end = bundle.manifest['population']['from'], bundle.manifest['evaluated']['size']
    for index, entry in bundle.entries.items():
        if entry['kind'] != 'change' or not start <= index < end:
            continue
        subject, source = entry['subject'], entry['source']
        name, number = names.get(subject.get('repository')), subject.get('number')
        if name is None or number is None:
            continue
        host, path, parts = subject['origin']['host'], PATHS.get(source), name.split('/')
        is_plain = re.fullmatch('[A-Za-z0-9.-]+(:[0-9]+)?', host) and re.fullmatch('[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)+', name)
        links[index] = (f'{name}{"!" if source == "gitlab" else "#"}{number}',
                        f'https://{host}/' + path.format(
                            name=name, number=number, first=parts[0], second=parts[1], parents='/'.join(parts[:-1]),
                            last=parts[-1]) if path and is_plain else None)
    return links


def cell(value):
    if value is None:
        return ''
    if isinstance(value, int):
        return str(value)
    is_formula = re.match("'*[=+\\-@\t\r\n|%\uff1d\uff0b\uff0d\uff20]", value)
    guarded = f"'{value}" if is_formula else value
    return '"' + guarded.replace('"', '""') + '"'


# Missing evidence

def missing_of(control):
    causes = {}
    for line in control['lines']:
        if line['verdict'] == 'missing_evidence':
            for reason in line['reasons']:
                causes.setdefault(reason, []).append(time_of(control['id'], line['row']))
    yield from ({'control': control['id'], 'cause': cause, 'rows': len(causes[cause]), 'from': min(causes[cause]),
                 'to': max(causes[cause])} for cause in sorted(causes, key=units))
    yield from ({'control': control['id'], 'cause': 'rows_missing',
                 **{name: one[name] for name in ('source', 'expected', 'found')}} for one in control['completeness']
                if one['isIndependent'] and (one['expected'] is None or one['found'] < one['expected']))
    if not control['counts']['population']:
        yield from ({'control': control['id'], 'cause': 'all_rows_excluded', **one} for one in control['exclusions']
                    if one['items'] > one['byDefault'])


# OSCAL

def naming(bundle):
    space = uuid.UUID(bundle.manifest['bundleId'])
    return lambda name: str(uuid.uuid5(space, name))


def taken_in(bundle):
    return [entry['asOf'] for entry in bundle.entries.values() if entry['kind'] == 'census'][-1]


def oscal_catalog(bundle, told):
    named = naming(bundle)
    controls = []
    for one in told['controls']:
        name = one['id']
        control = {'id': name, 'title': one_line(one['title']), 'parts': [
            {'id': f'{name}_smt', 'name': 'statement', 'prose': one['rule']},
            {'id': f'{name}_gdn', 'name': 'guidance', 'prose': one['population']},
            {'id': f'{name}_obj', 'name': 'assessment-objective', 'prose': one['verdicts']['pass']}]}
        controls.append(control | ({'props': requirements(one)} if requirements(one) else {}))
    return {'catalog': {
        'uuid': named('controls'),
        'metadata': {'title': 'Controls of Sightline', 'last-modified': taken_in(bundle), 'version': told['version'],
                     'oscal-version': '1.2.1'},
        'controls': controls,
        'back-matter': {'resources': [
            resource(bundle, 'definitions', 'The definitions of the controls', 'controls/catalog.json')]}}}


def requirements(definition):
    return [{**prop('requirement', requirement), 'class': framework}
            for framework in sorted(definition['crosswalk'], key=units)
            for requirement in definition['crosswalk'][framework]]


def assessment_plan(bundle, catalog):
    manifest, taken, named = bundle.manifest, taken_in(bundle), naming(bundle)
    title = one_line(f'{manifest["name"]}, {manifest["org"]["name"]}: assessment plan')
    period = {'start': manifest['period']['from'], 'end': manifest['period']['to']}
    repositories = all_repositories(bundle)
    made = {'uuid': named('assessment-plan'),
            'metadata': {'title': title, 'last-modified': taken, 'version': '1', 'oscal-version': '1.2.1'},
            'import-ssp': {'href': f'#{named("system")}'}, 'reviewed-controls': reviewed(manifest, named),
            'assessment-assets': assets(manifest, named),
            'tasks': [{'uuid': named(f'task/{one}'), 'type': 'action', 'title': one_line(f'{one}: {catalog[one]["title"]}'),
                       'description': catalog[one]['rule'], 'timing': {'within-date-range': period},
                       'remarks': catalog[one]['population']} for one in manifest['controls']],
            'back-matter': {'resources': [
                resource(bundle, 'system', 'The repositories of the system', 'repositories.jsonl'),
                resource(bundle, 'catalog', 'The catalog of controls', CATALOG)]}}
    if repositories:
        made['local-definitions'] = {'inventory-items': inventory(repositories, named)}
        made['assessment-subjects'] = [{'type': 'inventory-item', 'include-subjects': subjects(repositories, named)}]
    return {'assessment-plan': made}


def repositories_of(control):
    return sorted({line['row']['repository'] for line in control['lines'] if line['row']['repository'] is not None},
                  key=units)


def all_repositories(bundle):
    return sorted({each for one in bundle.controls for each in repositories_of(one)}, key=units)


def inventory(repositories, named):
    return [{'uuid': named(f'repository/{one}'),
             'description': 'A repository of a code host, by its ID in repositories.jsonl.',
             'props': [prop('repository', one_line(one))]} for one in repositories]


def subjects(repositories, named):
    return [{'subject-uuid': named(f'repository/{one}'), 'type': 'inventory-item'} for one in repositories]


def assets(manifest, named):
    catalog = manifest['catalog']
    tool = {'uuid': named('tool'), 'type': 'software', 'title': 'Sightline', 'status': {'state': 'operational'},
            'description': f'Evaluates the controls of version {catalog} of its catalog from received data.'}
    platform = {'uuid': named('platform'), 'title': 'Sightline', 'uses-components': [{'component-uuid': named('tool')}]}
    return {'components': [tool], 'assessment-platforms': [platform]}


def origins(named):
    return [{'actors': [{'type': 'tool', 'actor-uuid': named('tool')}]}]


def reviewed(manifest, named):
    return {'links': [{'href': f'#{named("catalog")}', 'rel': 'reference'}],
            'control-selections': [{'include-controls': [{'control-id': one} for one in manifest['controls']]}]}


def resource(bundle, name, title, path):
    kind = 'application/jsonl' if path.endswith('.jsonl') else 'application/json'
    hashes = [{'algorithm': 'SHA-256', 'value': sha256(bundle.files[path]).hex()}]
    return {'uuid': naming(bundle)(name), 'title': title,
            'rlinks': [{'href': f'../{path}', 'media-type': kind, 'hashes': hashes}]}


def oscal(bundle, catalog):
    manifest, taken, named = bundle.manifest, taken_in(bundle), naming(bundle)
    repositories = all_repositories(bundle)
    local = {'assessment-assets': assets(manifest, named)}
    if repositories:
        local['inventory-items'] = inventory(repositories, named)
    name, ledger, size = manifest['name'], manifest['ledger']['origin'], manifest['evaluated']['size']
    result = {
        'uuid': named('result'), 'title': one_line(name),
        'description': f'Controls evaluated with the ledger {ledger} at size {size}. The ledger is tamper-evident. '
                       'It proves what was received and when, not that it is true.',
        'start': manifest['period']['from'], 'end': manifest['period']['to'],
        'local-definitions': local, 'reviewed-controls': reviewed(manifest, named),
        'observations': [observation(one, catalog[one['id']], taken, named) for one in bundle.controls],
        'findings': [finding(one, catalog[one['id']], named) for one in bundle.controls]}
    resources = [resource(bundle, 'plan', 'The assessment plan', ASSESSMENT_PLAN),
                 resource(bundle, 'catalog', 'The catalog of controls', CATALOG)]
    resources += [resource(bundle, f'evidence/{one}', f'Evidence of {one}', f'evidence/{one}.jsonl')
                  for one in manifest['controls']]
    return {'assessment-results': {
        'uuid': named('assessment-results'),
        'metadata': {'title': one_line(f'{name}, {manifest["org"]["name"]}'), 'last-modified': taken, 'version': '1',
                     'oscal-version': '1.2.1'},
        'import-ap': {'href': f'#{named("plan")}'}, 'results': [result], 'back-matter': {'resources': resources}}}


def observation(control, definition, taken, named):
    name = control['id']
    props = [prop('status', control['status']), *(prop(one, str(control['counts'][one])) for one in COUNTS)]
    props += [{**prop('excluded', str(one['items'])), 'class': one['parameter'],
               'remarks': f'By version {one["setting"]} of the setting.'} for one in control['exclusions']]
    evidence = {'href': f'#{named(f"evidence/{name}")}',
                'description': 'Every item of the population with its facts and verdict.'}
    repositories = repositories_of(control)
    return {'uuid': named(f'observation/{name}'), 'title': one_line(f'{name}: {definition["title"]}'),
            'description': definition['rule'], 'props': props, 'methods': ['TEST'], 'relevant-evidence': [evidence],
            'origins': origins(named), 'collected': taken} | (
                {'subjects': subjects(repositories, named)} if repositories else {})


def finding(control, definition, named):
    name, counts, status = control['id'], control['counts'], control['status']
    state = {'state': 'satisfied'} if status == 'passing' else {
        'state': 'not-satisfied', 'reason': 'fail' if status == 'failing' else 'other', 'remarks': REMARKS[status]}
    props = [prop('missing-evidence', str(counts['missing_evidence'])), *requirements(definition)]
    return {'uuid': named(f'finding/{name}'), 'title': one_line(f'{name}: {definition["title"]}'),
            'description': f'{counts["population"]} items: {counts["pass"]} pass, {counts["fail"]} fail, '
                           f'{counts["waived"]} waived, {counts["missing_evidence"]} missing evidence.',
            'props': props, 'origins': origins(named), 'target': {'type': 'objective-id', 'target-id': f'{name}_obj', 'status': state},
            'related-observations': [{'observation-uuid': named(f'observation/{name}')}]}


# README

REDACTED = {'names': 'Names of people are redacted.',
            'people': 'Personal data is redacted: this bundle discloses no committed names, addresses or texts of people.',
            'all': 'Personal data and names of repositories are redacted, and the PDF is omitted.'}


def readme(manifest):
    redacted = REDACTED.get(manifest['redaction'], '')
    redacted = redacted and f'\n{redacted}\nA disclosure key of the organization opens them.\n'
    head = f'{manifest["name"]}\n{manifest["org"]["name"]}, {manifest["period"]["from"]} to {manifest["period"]["to"]}\n'
    return f'{head}{README}{redacted}{LIMITS}'


README = '''
This bundle contains evidence that Sightline computed from received data about software changes. Verify it before you rely
on it:

    sightline verify BUNDLE.zip --key KEY

or open your own copy of verify.html in a browser and select this file and the key. Get the key and the program from another
source than this bundle: a key that comes with the evidence proves nothing.

manifest.json      the scope of the bundle and every file with its hash, signed by manifest.sig
evidence/          every evaluated item of each control with its facts and verdict. These items are the evidence
excluded/          every item that a parameter, such as an exemption, excluded from the population of a control
controls/          counts, parameters and sample of each control; catalog.json contains the evaluation criteria
ledger/            ledger entries with their proofs, the signed checkpoint and consistency proofs
changes.jsonl      the record of each change; its ledger entry contains the hash of the record
repositories.jsonl every repository of the code hosts, and when it was recorded
policies.jsonl     the policies of the period; waivers.jsonl contains the approved waivers
remediations.jsonl items that failed, with their owners, due dates and retests, which replace no failure
digests/           flagged items of each week as signed, and the signers
missing-evidence.json          missing evidence with reasons
csv/ oscal/        the same data for spreadsheets and programs. report.pdf, if present, is a copy for readers
'''
LIMITS = '''
The ledger is tamper-evident, not immutable. It proves what Sightline received and when it was recorded. It does not prove
that the data is true, that approvers read the changes, or that an auditor must accept the evidence. An operator with the
signing key can rewrite entries that no external anchor covers.
'''
