"""Evaluates the rows of a control again, as docs/format/evaluation.md defines it."""
import changes
import others
from facts import time
from texts import need, units

# For each control: its function, the field with the time of the item, whether it applies to a row, and the parameters
# that exclude a row.
CONTROLS = {
    'CHG-01': (changes.chg_01, 'mergedAt', None, changes.outside_branches),
    'CHG-02': (changes.chg_02, 'pushedAt', None, changes.outside_branches),
    'CHG-03': (changes.chg_03, 'mergedAt', lambda row: changes.value(row['mergeMethod']) != 'direct_push',
               changes.outside_branches),
    'CHG-04': (changes.chg_04, 'day', None, changes.outside_branches),
    'CHG-05': (changes.chg_05, 'mergedAt', changes.applies_chg_05, changes.outside_branches),
    'CHG-06': (changes.chg_06, 'mergedAt', None, changes.outside_chg_06),
    'SCN-01': (others.scn_01, 'mergedAt', None, changes.outside_branches),
    'SCN-02': (others.scn_02, 'weekStart', None, None),
    'VUL-01': (others.vul_01, 'firstSeenAt', None, others.outside_vul_01),
    'VUL-02': (others.vul_02, 'firstSeenAt', None, None),
    'EXC-01': (others.exc_01, 'decidedAt', None, None),
    'TOL-01': (others.tol_01, 'seenAt', None, None),
    'COV-01': (others.cov_01, 'periodFrom', others.applies_cov_01, None),
    'ACC-01': (others.acc_01, 'periodFrom', others.applies_acc_01, None),
    'ACC-02': (others.acc_02, 'quarterStart', None, None),
    'AI-01': (changes.ai_01, 'mergedAt', changes.applies_ai_01, changes.outside_ai_01),
    'LOG-01': (others.log_01, 'day', None, None),
    'DIG-01': (others.dig_01, 'dueAt', None, others.outside_dig_01)}


def time_of(control, row):
    """Returns the time of an item as text."""
    field = CONTROLS[control][1]
    return f'{row[field]}T00:00:00.000Z' if field == 'day' else row[field]


def applies(control, row):
    """Whether a control is about a row, under any setting."""
    is_about = CONTROLS[control][2]
    return is_about is None or is_about(row)


def evaluate(control, rows, versions, defaults):
    """Returns the lines of evidence/ID.jsonl and of excluded/ID.jsonl."""
    verdict_of, _, _, excluded_by = CONTROLS[control]
    need(len({one['version'] for one in versions}) == len(versions), f'{control}: two settings have the same version')
    lines, outside = [], []
    for row in sorted(rows, key=lambda one: (time(time_of(control, one)), units(one['subject']))):
        version, setting = setting_at(versions, time(time_of(control, row)), row['repository'], defaults)
        if not applies(control, row):
            continue
        parameters = excluded_by(row, setting) if excluded_by else []
        if parameters:
            outside.append({'row': row, 'setting': version, 'parameters': parameters,
                            'isExcludedByDefault': excluded_by(row, defaults) != []})
        else:
            verdict, reasons = verdict_of(row, setting)
            lines.append({'row': row, 'setting': version, 'verdict': verdict, 'reasons': reasons})
    return lines, outside


def setting_at(versions, at, repository, defaults):
    """Returns the version and the setting in force for a repository at a time."""
    in_force = [one for one in versions if time(one['from']) <= at and (one['until'] is None or at < time(one['until']))
                and (one['repositories'] is None or repository in one['repositories'])]
    latest = max(in_force, key=lambda one: (one['repositories'] is not None, time(one['from']), one['version']), default=None)
    return (0, defaults) if latest is None else (latest['version'], latest['setting'])
