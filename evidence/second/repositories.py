"""Repositories of the code hosts, and the days and weeks in which they had to be recorded."""
from datetime import datetime, timedelta, timezone

from texts import canonical, need, units

KINDS = {'repository.listed': ('listed', True), 'repository.unlisted': ('listed', False),
         'audit.repository.enabled': ('enabled', True), 'audit.repository.disabled': ('enabled', False)}
FIELDS = ['day', 'until', 'weekStart', 'weekEnd', 'enabledAt', 'disabled']
DAY = timedelta(days=1)


def repositories_in(bundle):
    """Returns the repositories in scope that were listed or enabled at any time in the period, by ID."""
    manifest, records = bundle.manifest, {}
    for index, entry in bundle.entries.items():
        if entry['kind'] not in KINDS or index >= manifest['evaluated']['size']:
            continue
        field, is_start = KINDS[entry['kind']]
        for one in repositories_of(entry):
            record = records.setdefault(one, {'id': one, 'listed': [], 'enabled': []})
            change(record[field], is_start, {'at': entry['asOf'], 'by': entry['person'], 'entry': index})
    return [records[one] for one in sorted(records, key=units)
            if (manifest['repositories'] is None or one in manifest['repositories'])
            and any(overlaps(span, manifest['period']) for span in records[one]['listed'] + records[one]['enabled'])]


def repositories_of(entry):
    """Returns the IDs of the repositories that an entry is about. It commits to the name of each."""
    subject = entry['subject']
    return [subject['id']] if entry['kind'].startswith('audit.') else subject['repositories']


def change(spans, is_start, action):
    is_open = bool(spans) and spans[-1]['to'] is None
    if is_start and not is_open:
        spans.append({'from': action, 'to': None})
    elif not is_start and is_open:
        spans[-1]['to'] = action
    elif not is_start and not spans:
        spans.append({'from': None, 'to': action})


def overlaps(span, period):
    return ((span['from'] is None or span['from']['at'] < period['to'])
            and (span['to'] is None or span['to']['at'] > period['from']))


def check_recorded(bundle, control, rows, evaluated_at):
    """Verifies that rows about days and weeks state every pause of their repository, and that none is missing."""
    if control not in ('CHG-04', 'SCN-02') or bundle.manifest['ledger']['epoch'] > 1:
        return
    period = bundle.manifest['period']
    end = min(evaluated_at, period['to'])
    parts = days if control == 'CHG-04' else weeks
    expected = {key_of(record['id'], part) for record in repositories_in(bundle)
                for part in parts(spans_of(record), period['from'], end)}
    missing = set(expected)
    for row in rows:
        key = key_of(row['repository'], row)
        need(key in expected, f'{control}: {row["subject"]} does not match when its repository was enabled')
        if row.get('isDefaultBranch') is not False:
            missing.discard(key)
    need(not missing, f'{control}: a day or week of a repository is missing')


def spans_of(record):
    return [(one['from']['at'], one['to'] and one['to']['at']) for one in record['enabled'] if one['from'] is not None]


def key_of(repository, fields):
    return canonical([repository, *(fields.get(one) for one in FIELDS)])


def days(spans, start, end):
    at = time_of(start)
    while at + DAY <= time_of(end):
        part = part_of(spans, text_of(at), text_of(at), text_of(at + DAY))
        if part and spans[0][0] <= text_of(at):
            yield {'day': text_of(at)[:10], **part}
        at += DAY


def weeks(spans, start, end):
    monday = datetime(1970, 1, 5, tzinfo=timezone.utc)
    to = monday + (time_of(start) - monday) // (7 * DAY) * (7 * DAY)
    while to <= time_of(end):
        begin = text_of(to - 7 * DAY)
        part = part_of(spans, text_of(to - 31 * DAY), begin, text_of(to)) if to > time_of(start) else None
        if part and spans[0][0] < part['until']:
            yield {'weekStart': begin, 'weekEnd': part['until'], 'enabledAt': spans[0][0], 'disabled': part['disabled']}
        to += 7 * DAY


def part_of(spans, since, start, end):
    if not spans or (spans[-1][1] is not None and spans[-1][1] <= start):
        return None
    last = spans[-1][1]
    until = last if last is not None and last < end else end
    gaps = [{'from': max(before[1] or after[0], since), 'to': min(after[0], until)}
            for before, after in zip(spans, spans[1:])]
    return {'until': until, 'disabled': [gap for gap in gaps if gap['from'] < gap['to']]}


def time_of(text):
    return datetime.strptime(text, '%Y-%m-%dT%H:%M:%S.%f%z')


def text_of(time):
    return time.strftime('%Y-%m-%dT%H:%M:%S.') + f'{time.microsecond // 1000:03d}Z'
