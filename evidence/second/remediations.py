"""Failing rows with owners, tickets and retests, derived from the ledger. The failure always stays the first result."""
from texts import canonical, is_count, is_record, is_text, is_time, need

CHANGED, RETESTED, EVALUATED = 'audit.remediation.changed', 'audit.remediation.retested', 'control.evaluated'
ORIGINAL = ['control', 'subject', 'repository', 'failure']
STATED = ['owner', 'dueOn', 'ticketUrl', 'isRemediated']


def remediations_in(bundle):
    """Returns the remediations of failures that were open at any time in the period."""
    manifest, stories, evaluations = bundle.manifest, {}, {}
    for index, entry in bundle.entries.items():
        if index >= manifest['evaluated']['size']:
            continue
        if entry['kind'] == EVALUATED:
            evaluations[entry['id']] = index
        if entry['kind'] in (CHANGED, RETESTED):
            stories.setdefault(entry['subject']['id'], []).append((index, entry))
    records = [record_of(identity, story, evaluations) for identity, story in stories.items()]
    return [one for one in records if is_open_within(one, manifest['period'])
            and (manifest['repositories'] is None or one['repository'] is None
                 or one['repository'] in manifest['repositories'])]


def record_of(identity, story, evaluations):
    first = story[0][1]['subject']['data']
    failure = {**first['failure'], 'entry': evaluations.get(first['failure']['evaluation']['id'])}
    changes = [{**told(index, entry), **{one: entry['subject']['data'][one] for one in STATED}}
               for index, entry in story if entry['kind'] == CHANGED]
    retests = [retest_of(index, entry, evaluations) for index, entry in story if entry['kind'] == RETESTED]
    record = {**{one: first[one] for one in ORIGINAL[:3]}, 'id': identity, 'failure': failure, 'changes': changes,
              'retests': retests}
    return {**record, 'result': text_of_state(record)}


def told(index, entry):
    return {'at': entry['asOf'], 'by': entry['person'], 'entry': index}


def retest_of(index, entry, evaluations):
    data = entry['subject']['data']
    evaluation, retest = data['evaluation'], {**told(index, entry), 'result': data['result']}
    if evaluation is None:
        return {**retest, 'evaluation': None}
    return {**retest, 'at': evaluation['at'], 'evaluation': {**evaluation, 'entry': evaluations.get(evaluation['id'])}}


def is_open_within(one, period):
    failed_in, last = one['failure']['evaluation']['period'], one['retests'][-1] if one['retests'] else None
    is_closed = last is not None and last['result'] == 'pass' and last['at'] <= period['from']
    return failed_in['from'] < period['to'] and (failed_in['to'] > period['from'] or not is_closed)


def remediated_at(one):
    """Returns the time since which it is stated as remediated, also again after a failed retest."""
    stated, failed = [], max([each['entry'] for each in one['retests'] if each['result'] != 'pass'], default=-1)
    for each in one['changes']:
        stated = stated + [each] if each['isRemediated'] else []
    again = [each for each in stated if each['entry'] > failed]
    return (again or stated)[0]['at'] if stated else None


def text_of_state(one):
    done, last = remediated_at(one), one['retests'][-1] if one['retests'] else None
    return ', '.join(['failed', f'remediated on {done[:10]}' if done else 'not stated as remediated',
                      f'retested on {last["at"][:10]} with result {last["result"]}' if last else 'not retested'])


def last_of(one):
    """Returns what was stated last."""
    return one['changes'][-1] if one['changes'] else {**dict.fromkeys(STATED), 'entry': None}


def key_of_row(control, subject):
    return f'{control} {subject}'


def texts_of(remediations, period):
    """Returns the state of each row that failed in an evaluation of the period, by its key."""
    texts = {}
    for one in sorted(remediations, key=lambda each: each['failure']['evaluation']['period']['from']):
        failed_in, key = one['failure']['evaluation']['period'], key_of_row(one['control'], one['subject'])
        if failed_in['from'] < period['to'] and failed_in['to'] > period['from']:
            texts[key] = f'{texts[key]}; {one["result"]}' if key in texts else one['result']
    return texts


def check_remediations(bundle, remediations):
    """Verifies that each has a failure that the ledger has, states no other one, and has only retests after it."""
    epoch = bundle.manifest['ledger']['epoch']
    for one in remediations:
        name = f'The remediation {one["id"]} of {one["control"]} {one["subject"]}'
        story = [(index, entry) for index, entry in bundle.entries.items() if entry['kind'] in (CHANGED, RETESTED)
                 and entry['subject']['id'] == one['id'] and index < bundle.manifest['evaluated']['size']]
        stated = {canonical([entry['subject']['data'][field] for field in ORIGINAL]) for _, entry in story}
        need(len(stated) == 1, f'{name} changes the original result')
        need(all(is_well_formed(entry['kind'], entry['subject']['data']) for _, entry in story),
             f'{name} has an entry in a wrong form')
        failure, failed = one['failure'], one['failure']['evaluation']
        need(failure['verdict'] == 'fail' and failure['reasons'], f'{name} has an original result that is no failure')
        first, begun = story[0]
        need(begun['kind'] == CHANGED or failed['epoch'] < epoch, f'{name} has a retest without its failure')
        check_evaluation(bundle, name, one, {**failed, 'entry': failure['entry']}, first, 'fail')
        need(all(each['at'] >= failed['at'] for each in one['changes']), f'{name} has a change before its failure')
        for retest in one['retests']:
            check_retest(bundle, name, one, retest)


def is_well_formed(kind, data):
    """Whether an entry has the fields of its kind."""
    failure = data['failure']
    has_original = (is_text(data['control']) and is_text(data['subject']) and is_text_or_none(data['repository'])
                    and is_record(failure, ['evaluation', 'verdict', 'reasons']) and is_evaluation(failure['evaluation'])
                    and is_text(failure['verdict']) and isinstance(failure['reasons'], list)
                    and all(map(is_text, failure['reasons'])))
    if not has_original:
        return False
    if kind == RETESTED:
        return is_text(data['result']) and (data['evaluation'] is None or is_evaluation(data['evaluation']))
    return all(is_text_or_none(data[one]) for one in STATED[:3]) and isinstance(data['isRemediated'], bool)


def is_text_or_none(value):
    return value is None or is_text(value)


def is_evaluation(value):
    return (is_record(value, ['id', 'epoch', 'size', 'at', 'period']) and is_record(value['period'], ['from', 'to'])
            and is_text(value['id']) and all(map(is_time, [value['at'], *value['period'].values()]))
            and is_count(value['epoch']) and is_count(value['size']))


def check_retest(bundle, name, one, retest):
    failed, evaluation = one['failure']['evaluation'], retest['evaluation']
    need(retest['result'] in ('pass', 'fail'), f'{name} has a retest without a result')
    need(retest['at'] >= failed['at'], f'{name} has a retest before its failure')
    if evaluation is None:
        need(retest['by'] is not None, f'{name} has a retest of neither an evaluation nor a person')
        return
    need((evaluation['epoch'], evaluation['size']) > (failed['epoch'], failed['size']),
         f'{name} has a retest before its failure')
    check_evaluation(bundle, name, one, evaluation, retest['entry'], retest['result'])


def check_evaluation(bundle, name, one, evaluation, before, verdict):
    period, epoch = evaluation['period'], bundle.manifest['ledger']['epoch']
    need(evaluation['epoch'] <= epoch, f'{name} refers to an evaluation of a later ledger')
    if evaluation['epoch'] < epoch:
        return
    index = evaluation['entry']
    need(index is not None and index < before, f'{name} refers to an evaluation that the ledger does not have')
    entry = bundle.entries[index]
    said = [entry['asOf'], *(entry['subject'].get(field) for field in ('control', 'epoch', 'size', 'from', 'to'))]
    need(said == [evaluation['at'], one['control'], evaluation['epoch'], evaluation['size'], period['from'],
                  period['to']], f'{name} differs from its evaluation')
    count = entry['subject'].get(verdict)
    need(is_count(count) and count > 0, f'{name} refers to an evaluation in which nothing has the verdict {verdict}')
