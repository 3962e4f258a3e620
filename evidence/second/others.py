"""The controls that are not about changes, as docs/format/controls.md defines them."""
from facts import (DAY, HOUR, MINUTE, SECOND, UNKNOWN, covering, covering_moment, decide, is_same, known, matches_any,
                   person_of, time, value, when)


def scn_01(row, setting):
    due = time(row['mergedAt']) + setting['within'] * HOUR
    head, merge, scanner = (value(row[one]) for one in ('headSha', 'mergeSha', 'scanner'))
    runs = [one for one in known(row['scans']) if one['sha'] in (head, merge) and time(one['finishedAt']) <= due]
    are_known = value(row['scans']) is not UNKNOWN
    is_scanned = are_known and any(one['state'] == 'ok' for one in runs)
    missing = [] if is_scanned else when(
        (scanner is UNKNOWN, 'scanner_unknown'),
        (scanner == 'failing' or any(one['state'] != 'ok' for one in runs), 'scanner_failing'),
        (scanner == 'not_configured', 'scanner_not_configured'), (not are_known, 'scans_missing'),
        (head is UNKNOWN, 'head_unknown'), (merge is UNKNOWN, 'merge_commit_unknown'),
        (time(row['evaluatedAt']) < due, 'time_not_over'))
    return decide(when((not is_scanned and not missing, 'not_scanned')), missing, ['scanned'],
                  covering(row['waivers'], [(due, due)]))


def scn_02(row, setting):
    end = time(row['weekEnd'])
    start, are_known, integration = end - setting['freshness'] * DAY, value(row['scans']) is not UNKNOWN, value(row['integration'])
    is_fresh = are_known and any(one['state'] == 'ok' and start <= time(one['finishedAt']) <= end
                                 for one in known(row['scans']))
    missing = [] if is_fresh else when(
        (time(row['enabledAt']) > start, 'enabled_recently'),
        (any(time(one['to']) > start for one in row['disabled']), 'repository_disabled'),
        (integration == 'inactive', 'scanner_not_configured'), (integration is UNKNOWN, 'scanner_unknown'),
        (not are_known, 'scans_missing'))
    return decide(when((not is_fresh and not missing, 'scan_too_old')), missing, ['scan_fresh'],
                  covering_moment(row['waivers'], row['weekEnd']))


SEVERITIES = ['critical', 'high', 'medium', 'low', 'info']


def outside_vul_01(row, setting):
    severity = value(row['severity'])
    return [severity] if severity is not UNKNOWN and setting[severity] == 0 else []


def vul_01(row, setting):
    severity, fixed, dismissal = value(row['severity']), value(row['fixedAt']), row['dismissal']
    days = [setting[one] or float('inf') for one in (SEVERITIES if severity is UNKNOWN else [severity])]
    due = time(row['firstSeenAt']) + max(days) * DAY
    is_accepted = dismissal is not None and dismissal['reason'] in setting['acceptedDismissals']
    ends = [time(dismissal['at'])] if is_accepted else []
    ends += [time(fixed)] if isinstance(fixed, str) else []
    is_known = bool(ends) or fixed is not UNKNOWN
    open_until = min(ends) if ends else time(row['evaluatedAt' if is_known else 'lastSeenAt'])
    is_over = open_until > due
    since = min(open_until, max(due, time(row['periodFrom'])))
    return decide(when((is_over, 'over_time_limit')),
                  when((severity is UNKNOWN, 'severity_unknown'), (not is_known, 'still_open_unknown')),
                  ['fixed_in_time' if ends else 'inside_time_limit'],
                  covering(row['waivers'], [(since, open_until)]) if is_over else [])


def vul_02(row, setting):
    due, closure, evaluated = time(row['firstSeenAt']) + setting['limit'] * DAY, value(row['closure']), time(row['evaluatedAt'])
    is_closed = closure not in (UNKNOWN, None)
    open_until = time(closure['at']) if is_closed else evaluated
    reason = value(closure['reason']) if is_closed else UNKNOWN
    is_late, is_other = closure is not UNKNOWN and open_until > due, reason == 'other'
    start, end = (min(open_until, due), evaluated) if is_other else (due, open_until)
    since = min(end, max(start, time(row['periodFrom'])))
    return decide(when((is_late, 'secret_over_time_limit'), (is_other, 'secret_closed_without_remediation')),
                  when((closure is UNKNOWN or (is_closed and reason is UNKNOWN), 'closure_unknown'),
                       (closure is None and not is_late, 'time_not_over')),
                  ['secret_closed'], covering(row['waivers'], [(since, end)]))


def exc_01(row, setting):
    same, permitted = is_same(row['requestedBy'], row['decidedBy']), value(row['hadPermission'])
    failures = when((same == 'yes', 'decided_by_requester'), (permitted is False, 'decided_without_permission'),
                    (row['reasonLength'] < setting['reasonLength'], 'reason_too_short'),
                    (time(row['until']) - time(row['from']) > setting['longest'] * DAY, 'waiver_too_long'))
    return decide(failures, when((same == 'unknown', 'actor_unresolved'), (permitted is UNKNOWN, 'permission_unknown')),
                  ['independent_decision'], covering_moment(row['waivers'], row['decidedAt']))


def tol_01(row, setting):
    seen, version, are_known = time(row['seenAt']), value(row['version']), value(row['decisions']) is not UNKNOWN
    in_force = [one for one in known(row['decisions'])
                if time(one['from']) <= seen and (one['until'] is None or seen < time(one['until']))]

    def answers(kind):
        return [True if one['versions'] is None else UNKNOWN if version is UNKNOWN else matches_any(one['versions'], version)
                for one in in_force if one['decision'] == kind]

    denials, approvals = answers('denied'), answers('approved')
    is_open = UNKNOWN in denials + approvals
    is_unreviewed = are_known and not is_open and True not in denials + approvals
    is_old = seen - time(row['firstSeenAt']) > setting['unreviewed'] * DAY
    return decide(when((True in denials, 'tool_denied'), (is_unreviewed and is_old, 'tool_unreviewed_over_limit')),
                  when((not are_known, 'tool_decisions_missing'), (is_unreviewed, 'tool_unreviewed'),
                       (UNKNOWN in denials or (is_open and True not in approvals), 'version_unknown')),
                  ['tool_approved'], covering_moment(row['waivers'], row['seenAt']))


def applies_cov_01(row):
    return row['person']['kind'] != 'agent' and row['commitHours'] != []


def cov_01(row, setting):
    presence, extension = value(row['presence']), value(row['extension'])
    is_resolved, hours = person_of(row['person']) is not None, [time(one) for one in dict.fromkeys(row['commitHours'])]

    def is_enough(count):
        return count * 100 >= len(hours) * setting['coverage']

    spans = [] if presence is UNKNOWN else presence
    uncovered = [one for one in hours if not is_within(spans, one - HOUR, one + 2 * HOUR)]
    paused = [one for one in uncovered if is_within(known(row['pauses']), one, one + HOUR)]
    connected = len(hours) - len(uncovered)
    is_observed = presence is not UNKNOWN and extension == 'installed' and is_resolved
    failures = when((paused != [], 'recording_paused'), (not is_enough(connected + len(paused)), 'coverage_too_low'))
    return decide(failures if is_observed and not is_enough(connected) else [],
                  when((not is_resolved, 'person_unresolved'), (presence is UNKNOWN, 'presence_missing'),
                       (extension is UNKNOWN, 'extension_unknown'), (extension == 'never_connected', 'not_observable')),
                  ['observed'], covering(row['waivers'], [(time(row['periodFrom']), time(row['periodTo']) - 1)]))


def is_within(spans, start, end):
    return any(time(one['from']) < end and time(one['to']) > start for one in spans)


def applies_acc_01(row):
    return row['person']['kind'] != 'agent'


def acc_01(row, setting):
    person, wrong = row['person'], {'deactivated': 'act_after_deactivation', 'never': 'actor_not_member'}
    access = [one for one in known(row['hostAccess']) if setting['readAccess'] or one['permission'] not in ('read', 'triage')]
    memberships = [(time(one['at']), value(one['membership'])) for one in row['acts']]
    faults = [((at, at), wrong[one]) for at, one in memberships if one in wrong]
    faults += wrong_access(row, access, setting['hours'] * HOUR)
    faults += late_departures(row, access, setting)
    departures = row['departures']
    is_certain = person_of(person) is not None and person['kind'] == 'human'
    unknown = [one for one in [*row['acts'], *access] if value(one['membership']) is UNKNOWN]
    all_access = known(row['hostAccess'])
    return decide([reason for _, reason in faults] if is_certain else [],
                  when((person_of(person) is None, 'person_unresolved'), (person['kind'] == 'unknown', 'person_kind_unknown'),
                       (bool(unknown) or any(one['memberMinutes'] is None for one in departures), 'membership_unknown'),
                       (not memberships and not all_access and not departures, 'acts_missing'),
                       (value(row['hostAccess']) is UNKNOWN, 'host_access_unknown')),
                  when((bool(memberships), 'member_at_each_act'), (bool(all_access), 'member_during_access'),
                       (bool(departures), 'access_ended_after_leaving')),
                  covering(row['waivers'], [span for span, _ in faults]))


def wrong_access(row, access, limit):
    """Returns the span and reason of each access of a person who is no member."""
    first = min((time(one['from']) for one in access if value(one['membership']) == 'never'), default=0)
    faults = []
    for one in access:
        membership, end = value(one['membership']), time(one['to'])
        span = (max(time(one['from']), time(row['periodFrom'])), end - 1)
        is_joining = one['until'] is not None and time(one['until']) <= first + limit
        late = 0 if one['since'] is None else time(one['since']) + limit
        faults += [(span, reason) for reason in when(
            (membership == 'never' and not is_joining, 'host_access_of_non_member'),
            (membership == 'deactivated' and end > late, 'host_access_after_deactivation'))]
    return faults


def late_departures(row, access, setting):
    """Returns the span and reason of each membership and access that lasted too long after a person left the directory."""
    faults, start = [], time(row['periodFrom'])
    for one in row['departures']:
        left, returned = time(one['leftAt']), one['returnedAt']
        at, limit = max(left, start), left + setting['hours'] * HOUR
        if one['memberMinutes'] is not None and one['memberMinutes'] > setting['minutes']:
            faults.append(((at, at), 'member_after_leaving'))
        faults += [((max(time(span['from']), start), time(span['to']) - 1), 'host_access_after_leaving') for span in access
                   if time(span['to']) > limit and (returned is None or time(span['from']) < time(returned))]
    return faults


LEAVER_HOURS = 24


def acc_02(row, _):
    start, end, line = time(row['quarterStart']), time(row['quarterEnd']), value(row['line'])
    is_over, is_listed = time(row['evaluatedAt']) >= end, line not in (UNKNOWN, None)
    own = is_same(line['reviewer'], row['person']) if is_listed else 'unknown'
    if line is UNKNOWN:
        failures = []
    elif line is None or line['decision'] == 'none':
        failures = ['access_not_reviewed']
    elif line['signedAt'] is None:
        failures = ['access_review_unsigned']
    else:
        failures = when((not start <= time(line['signedAt']) < end, 'access_reviewed_outside_quarter'),
                        (own == 'yes', 'access_reviewed_by_member'),
                        (line['decision'] == 'changed' and row['isInForce'], 'access_not_changed'))
    left = row['leftDirectoryAt']
    is_leaver = left is not None and row['isInForce'] and time(left) + LEAVER_HOURS * HOUR <= end
    failures = when((is_leaver, 'access_of_leaver')) + failures
    return decide(failures if is_over else [],
                  when((not is_over, 'quarter_running'), (line is UNKNOWN, 'access_review_missing'),
                       (is_listed and own == 'unknown', 'reviewer_unresolved')),
                  ['access_reviewed'], covering_moment(row['waivers'], row['quarterEnd']))


def log_01(row, setting):
    start = time(f'{row["day"]}T00:00:00.000Z')
    end = start + DAY
    check, pending, anchored, breaks = (value(row[one]) for one in (
        'selfCheck', 'longestPendingSeconds', 'lastAnchoredAt', 'epochBreaks'))
    is_late = anchored not in (UNKNOWN, None) and end - time(anchored) > setting['anchored'] * HOUR
    failures = when((check == 'failed', 'self_check_failed'),
                    (pending is not UNKNOWN and pending * SECOND >= setting['pending'] * MINUTE, 'entries_delayed'),
                    (anchored is None, 'never_anchored'), (is_late, 'anchor_too_old'),
                    (breaks is not UNKNOWN and breaks > 0, 'epoch_broken'))
    return decide(failures, when((UNKNOWN in (check, pending, anchored, breaks), 'ledger_facts_missing')), ['ledger_intact'],
                  covering(row['waivers'], [(start, end - 1)]))


def outside_dig_01(row, setting):
    is_due = time(row['evaluatedAt']) > time(row['dueAt']) + setting['within'] * DAY
    return when((row['signOffs']['state'] == 'complete' and not signed_at(row) and not is_due, 'within'))


def dig_01(row, setting):
    due, signed, is_known = time(row['dueAt']) + setting['within'] * DAY, signed_at(row), row['signOffs']['state'] == 'complete'
    at = min(signed) if signed else None
    failures = when((is_known and at is None, 'digest_not_signed'), (is_known and at is not None and at > due, 'digest_signed_late'))
    end = max(due, time(row['evaluatedAt']) if at is None else at)
    return decide(failures, when((not is_known, 'sign_offs_missing')), ['digest_signed'],
                  covering(row['waivers'], [(due, end)]))


def signed_at(row):
    return [time(one['at']) for one in known(row['signOffs']) if one['bodySha256'] == row['bodySha256']]
