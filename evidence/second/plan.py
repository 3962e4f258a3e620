"""Step 8 for the OSCAL plan of action and milestones of failing rows."""
import re
import uuid

from remediations import key_of_row, last_of, remediated_at
from texts import NAMESPACE, one_line, prop, units

PLAN = 'oscal/poam.json'
ROLE = 'remediation-owner'
LINK = r'https?://[A-Za-z0-9.-]+(:[0-9]+)?(/[A-Za-z0-9._~/-]*)?(\?[A-Za-z0-9._~&=-]*)?'


def plan(bundle, catalog, remediations, texts):
    """Returns the document, or None if nothing has to be remediated."""
    manifest = bundle.manifest
    taken = [entry['asOf'] for entry in bundle.entries.values() if entry['kind'] == 'census'][-1]
    space = uuid.UUID(manifest['bundleId'])

    def named(name):
        return str(uuid.uuid5(space, name))

    def title(control):
        return one_line(f'{control}: {catalog[control]["title"] if control in catalog else ""}')

    unassigned = [(one, count) for one in bundle.controls if (count := len([
        line for line in one['lines'] if line['verdict'] == 'fail'
        and key_of_row(one['id'], line['row']['subject']) not in texts]))]
    if not remediations and not unassigned:
        return None
    owners = sorted({last_of(one)['owner'] for one in remediations} - {None}, key=units)
    metadata = {'title': one_line(f'{manifest["name"]}, {manifest["org"]["name"]}: remediation'), 'last-modified': taken,
                'version': '1', 'oscal-version': '1.2.1',
                'roles': [{'id': ROLE, 'title': 'Owner of failing items'}]}
    if owners:
        metadata['parties'] = [{'uuid': named(f'party/{one}'), 'type': 'person',
                                'external-ids': [{'scheme': f'{NAMESPACE}/person', 'id': one}]} for one in owners]
    observations = [each for one in remediations for each in observations_of(one, named, title)]
    observations += [{'uuid': named(f'failing/{one["id"]}'), 'title': title(one['id']),
                      'description': counts_text(one['counts']), 'methods': ['TEST'],
                      'relevant-evidence': [{'href': f'../evidence/{one["id"]}.jsonl',
                                             'description': 'Every item with its verdict.'}],
                      'collected': taken} for one, _ in unassigned]
    items = [item_of(one, named, title) for one in remediations]
    items += [{'uuid': named(f'unassigned/{one["id"]}'), 'title': title(one['id']),
               'description': f'{count} failing {"item has" if count == 1 else "items have"} no owner, due date or ticket.',
               'props': [prop('control', one['id']), prop('failing-items', str(count))],
               'related-observations': [{'observation-uuid': named(f'failing/{one["id"]}')}]}
              for one, count in unassigned]
    document = {'uuid': named('poam'), 'metadata': metadata,
                'system-id': {'identifier-type': f'{NAMESPACE}/organization', 'id': manifest['org']['id']},
                'observations': observations, 'poam-items': items}
    if remediations:
        document['risks'] = [risk_of(one, named, title, catalog) for one in remediations]
    return {'plan-of-action-and-milestones': document}


def counts_text(counts):
    return (f'{counts["population"]} items: {counts["pass"]} pass, {counts["fail"]} fail, {counts["waived"]} waived, '
            f'{counts["missing_evidence"]} missing evidence.')


def name_of(one, retest=None):
    return f'remediation/{one["id"]}/{"failure" if retest is None else f"""retest/{retest["entry"]}"""}'


def observations_of(one, named, title):
    failure, subject = one['failure'], one_line(one['subject'])
    evaluation, period = failure['evaluation'], failure['evaluation']['period']
    yield {'uuid': named(name_of(one)), 'title': title(one['control']),
           'description': f'The item {subject} failed: {", ".join(failure["reasons"])}.',
           'props': [prop('verdict', one_line(failure['verdict'])), prop('evaluation', one_line(evaluation['id'])),
                     prop('period', f'{period["from"]}/{period["to"]}')],
           'methods': ['TEST'], 'collected': evaluation['at']}
    for retest in one['retests']:
        props = [prop('verdict', one_line(retest['result'])), prop('ledger-entry', str(retest['entry']))]
        if retest['evaluation']:
            props.append(prop('evaluation', one_line(retest['evaluation']['id'])))
        yield {'uuid': named(name_of(one, retest)), 'title': title(one['control']),
               'description': f'The item {subject} was retested with result {retest["result"]}.', 'props': props,
               'methods': ['TEST' if retest['evaluation'] else 'EXAMINE'], 'collected': retest['at']}


def related(one, named):
    return [{'observation-uuid': named(name_of(one, retest))} for retest in [None, *one['retests']]]


def state_of(one):
    return f'The item {one_line(one["subject"])}: {one["result"]}.'


def risk_of(one, named, title, catalog):
    last, name = last_of(one), f'remediation/{one["id"]}'
    is_passed = bool(one['retests']) and one['retests'][-1]['result'] == 'pass'
    is_done = remediated_at(one) is not None
    due = None if last['dueOn'] is None else f'{last["dueOn"]}T23:59:59.999Z'
    task = {'uuid': named(f'{name}/task'), 'type': 'milestone', 'title': 'Remediate and retest'}
    if due:
        task['timing'] = {'on-date': {'date': due}}
    if last['owner'] is not None:
        task['responsible-roles'] = [{'role-id': ROLE, 'party-uuids': [named(f'party/{last["owner"]}')]}]
    risk = {'uuid': named(f'{name}/risk'), 'title': title(one['control']), 'description': state_of(one),
            'statement': catalog[one['control']]['rule'] if one['control'] in catalog else one['control'],
            'status': 'closed' if is_passed else 'remediating' if is_done else 'open',
            'remediations': [{'uuid': named(f'{name}/response'),
                              'lifecycle': 'completed' if is_done or is_passed else 'planned', 'title': 'Remediation',
                              'description': one_line(one['result']), 'tasks': [task]}],
            'related-observations': related(one, named)}
    return {**risk, 'deadline': due} if due else risk


def item_of(one, named, title):
    last, name = last_of(one), f'remediation/{one["id"]}'
    props = [prop('control', one_line(one['control'])), prop('subject', one_line(one['subject']))]
    item = {'uuid': named(name), 'title': title(one['control']), 'description': state_of(one), 'props': props,
            'related-observations': related(one, named), 'related-risks': [{'risk-uuid': named(f'{name}/risk')}]}
    if last['ticketUrl'] is not None:
        props.append(prop('ticket', one_line(last['ticketUrl'])))
        if re.fullmatch(LINK, last['ticketUrl']):
            item['links'] = [{'href': last['ticketUrl'], 'rel': 'ticket'}]
    if last['owner'] is not None:
        item['origins'] = [{'actors': [{'type': 'party', 'actor-uuid': named(f'party/{last["owner"]}'),
                                        'role-id': ROLE}]}]
    return item
