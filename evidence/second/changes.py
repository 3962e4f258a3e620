"""The controls about changes, as docs/format/controls.md defines them: CHG-01 to CHG-06 and AI-01."""
from facts import (DAY, MINUTE, UNKNOWN, covering, covering_moment, decide, is_among, is_same, known, matches_any, time,
                   truth, value, when)

VALID = 75 * MINUTE


def outside_branches(row, setting):
    """CHG-01 and all other controls of branches: whether the branch is out of scope."""
    return [] if row['isDefaultBranch'] or matches_any(setting['branches'], row['branch']) else ['branches']


# Independent approvals

def independent_approvals(row):
    judged = [(review, *judge(row, review)) for review in known(row['reviews']) if review['verdict'] == 'approved']
    possible = [one for one in judged if not one[1]]
    return {'certain': one_per_reviewer(review for review, no, open_ in judged if not no and not open_),
            'possible': one_per_reviewer(review for review, _, _ in possible),
            'rejected': [f'{code}:{review["id"]}' for review, no, _ in judged for code in no],
            'unknown': [code for _, _, open_ in possible for code in open_]}


def one_per_reviewer(reviews):
    counted = []
    for review in reviews:
        if is_among(review['by'], [one['by'] for one in counted]) != 'yes':
            counted.append(review)
    return counted


def judge(row, review):
    """Returns why an approval does not count, and which facts are unknown."""
    by, pusher = review['by'], row['lastPusher']
    last_pusher = pusher if pusher['state'] == 'missing' else {**pusher, 'value': [pusher['value']]}
    conditions = [
        (truth(time(review['submittedAt']) <= time(row['mergedAt'])), 'approved_after_merge', 'reviews_missing'),
        (is_standing(row, review), 'approval_dismissed', 'dismissal_time_unknown'),
        (is_last_word(row, review), 'approval_withdrawn', 'reviewer_unresolved'),
        is_on_head(row, review),
        ('unknown' if by['kind'] == 'unknown' else truth(by['kind'] == 'human'), 'approved_by_agent',
         'reviewer_kind_unknown'),
        (truth(value(review['byActiveMember'])), 'approved_by_non_member', 'membership_unknown'),
        is_apart(by, row['authors'], 'approved_by_author', 'author_unresolved'),
        is_apart(by, last_pusher, 'approved_by_last_pusher', 'last_pusher_unresolved'),
        is_apart(by, row['earlierPushers'], 'approved_by_earlier_pusher', 'pusher_unresolved'),
        is_apart(by, row['sessionOwners'], 'approved_by_session_owner', 'session_owner_unresolved')]
    return ([no for holds, no, _ in conditions if holds == 'no'],
            [open_ for holds, _, open_ in conditions if holds == 'unknown'])


def is_standing(row, review):
    at = value(review['dismissedAt'])
    return 'yes' if at is None else 'unknown' if at is UNKNOWN else truth(time(at) > time(row['mergedAt']))


def is_last_word(row, review):
    later = [one['by'] for one in known(row['reviews']) if one['verdict'] == 'changes_requested'
             and time(review['submittedAt']) < time(one['submittedAt']) <= time(row['mergedAt'])]
    return {'yes': 'no', 'no': 'yes', 'unknown': 'unknown'}[is_among(review['by'], later)]


def is_on_head(row, review):
    head, no, pushed = value(row['headSha']), 'approved_before_last_push', row['lastPushAt']
    if head is UNKNOWN:
        return 'unknown', no, 'head_unknown'
    if review['commit']['state'] != 'by_time':
        commit = value(review['commit'])
        return truth(UNKNOWN if commit is UNKNOWN else commit == head), no, 'reviewed_commit_unknown'
    if pushed['state'] == 'missing':
        return 'unknown', no, 'push_order_unknown'
    before, after = time(pushed['value']), time(review['submittedAt'])
    if after < before:
        return 'no', no, 'push_order_unknown'
    return 'yes' if pushed['state'] == 'complete' and after > before else 'unknown', no, 'push_order_unknown'


def is_apart(by, fact, no, unresolved):
    others = known(fact)
    if any(is_same(by, other) == 'yes' for other in others):
        return 'no', no, unresolved
    if by['identity'] != 'resolved':
        return 'unknown', no, 'reviewer_unresolved'
    return 'yes' if fact['state'] == 'complete' and is_among(by, others) == 'no' else 'unknown', no, unresolved


def assess_approval(row, needed):
    """Returns the certain reasons against an approval, and the missing facts."""
    approvals, own_files = independent_approvals(row), value(row['unreviewedFiles'])
    has_own = own_files is not UNKNOWN and own_files > 0
    is_short = value(row['reviews']) is not UNKNOWN and len(approvals['possible']) < needed
    is_direct = value(row['mergeMethod']) == 'direct_push'
    by_push, activity_missing, _ = ([], [], []) if is_direct else compare_activity(row)
    failures = when((is_direct, 'direct_push')) + by_push + when((has_own, 'merge_has_own_content'))
    if is_short or has_own:
        failures += ['no_independent_approval', *approvals['rejected']]
    authors = value(row['authors'])
    missing = when((value(row['mergeMethod']) is UNKNOWN, 'merge_method_unknown'),
                   (value(row['reviews']) is UNKNOWN, 'reviews_missing'),
                   (value(row['headSha']) is UNKNOWN, 'head_unknown'),
                   (authors is UNKNOWN or not authors, 'authors_missing'),
                   (value(row['lastPusher']) is UNKNOWN, 'last_pusher_missing'),
                   (value(row['earlierPushers']) is UNKNOWN, 'pushers_missing'),
                   (value(row['unattestedCommits']) != 0, 'authors_unattested'),
                   (value(row['sessionOwners']) is UNKNOWN, 'session_owners_missing'),
                   (own_files is UNKNOWN, 'merge_content_unknown'))
    return failures, missing + activity_missing + (approvals['unknown'] if len(approvals['certain']) < needed else [])


def compare_activity(row):
    """Returns the failures, the missing evidence and the remark about what the activity list names the push."""
    activity = value(row['hostActivity'])
    is_fault = activity not in (UNKNOWN, 'not_reported', 'pull_request_merge', 'merge_queue_merge')
    return (when((is_fault, 'merged_by_push')), when((activity is UNKNOWN, 'host_activity_unknown')),
            when((activity == 'not_reported', 'host_activity_not_reported')))


def chg_01(row, setting):
    failures, missing = assess_approval(row, setting['approvals'])
    reviews = independent_approvals(row)['certain']
    recent = [one for one in reviews if value(one['memberSince']) is not UNKNOWN
              and time(one['submittedAt']) - time(value(one['memberSince'])) < setting['newMemberDays'] * DAY]
    flagged = [] if len(reviews) - len(recent) >= setting['approvals'] else recent
    passes = ['independent_approval', *(f'approver_joined_recently:{one["id"]}' for one in flagged)]
    return decide(failures, missing, passes, covering_moment(row['waivers'], row['mergedAt']))


def chg_02(row, _):
    forced, by = value(row['isForced']), value(row['reachedBy'])
    by_push, activity_missing, remark = compare_activity(row) if by == 'merged_pull_request' else ([], [], [])
    return decide(when((forced is True, 'forced_push'), (by == 'none', 'direct_push')) + by_push,
                  when((row['push'] == 'lost', 'push_lost'), (row['push'] == 'truncated', 'push_truncated'),
                       (forced is UNKNOWN, 'force_unknown'), (by is UNKNOWN, 'merge_method_unknown')) + activity_missing,
                  ['by_pull_request', *remark], covering_moment(row['waivers'], row['pushedAt']))


def chg_03(row, _):
    by_author, (failures, missing) = is_merged_by_author(row), assess_approval(row, 1)
    is_approved = not failures and not missing
    open_ = [] if by_author == 'no' or is_approved else missing + when(
        (by_author == 'unknown' and are_authors_proven(row), 'merger_unresolved'))
    return decide(['merged_by_author', *failures] if by_author == 'yes' and failures else [], open_,
                  ['merged_by_another' if by_author == 'no' else 'independent_approval'],
                  covering_moment(row['waivers'], row['mergedAt']))


def is_merged_by_author(row):
    by, authors, own_files = merger_of(row), known(row['authors']), value(row['unreviewedFiles'])
    if by is UNKNOWN:
        return 'unknown'
    if own_files is not UNKNOWN and own_files > 0:
        return 'yes'
    found, are_known = is_among(by, authors), row['authors']['state'] == 'complete' and authors
    is_certain = are_authors_proven(row) and are_known and by['identity'] == 'resolved'
    return 'unknown' if found == 'no' and not is_certain else found


def are_authors_proven(row):
    return value(row['unreviewedFiles']) is not UNKNOWN and value(row['unattestedCommits']) == 0


def merger_of(row):
    by = value(row['mergedBy'])
    if by is not UNKNOWN and by['kind'] == 'agent':
        return value(row['mergeRequestedBy'])
    return by if by is not UNKNOWN and by['kind'] == 'human' else UNKNOWN


# CHG-04

def chg_04(row, setting):
    start, end = time(f'{row["day"]}T00:00:00.000Z'), time(row['until'])
    every = sorted(((time(one['capturedAt']), one) for one in known(row['snapshots'])), key=lambda one: one[0])
    counted = [one for one in every if row['snapshots']['state'] == 'complete' or one[0] >= start]
    broken, below, unknown = [], [], []
    for (at, snapshot), (following, _) in zip(counted, [*counted[1:], (end, None)]):
        first, last = max(at, start), min(following, at + VALID, end) - 1
        if first > last:
            continue
        failures, has_unknown = compare_with_setting(snapshot, setting)
        below += failures
        unknown += when((has_unknown, 'protection_incomplete'))
        broken += [(first, last)] if failures else []
    reached = start
    for at, _ in every:
        reached = max(reached, at + VALID) if at <= reached else reached
    missing = when((value(row['snapshots']) is UNKNOWN, 'protection_missing'), (reached < end, 'protection_stale'),
                   (row['disabled'] != [], 'repository_disabled'))
    return decide(below, missing + unknown, ['protected_all_day'], covering(row['waivers'], broken))


def compare_with_setting(snapshot, setting):
    """Returns the rules that a snapshot breaks, and whether it is unknown for a rule."""
    def at_least(name, number):
        told = value(snapshot[name])
        return told if told is UNKNOWN else told >= number

    def is_as(name, wanted):
        told = value(snapshot[name])
        return told if told is UNKNOWN else told == wanted

    rules = [(True, at_least('requiredReviews', setting['reviews']), 'too_few_required_reviews'),
             (setting['dismissesStale'], is_as('dismissesStaleReviews', True), 'stale_approvals_kept'),
             (setting['noForcePush'], is_as('allowsForcePush', False), 'force_push_allowed'),
             (setting['noDeletion'], is_as('allowsDeletion', False), 'deletion_allowed'),
             (setting['includesAdmins'], is_as('includesAdmins', True), 'admins_exempt'),
             (setting['checks'] > 0, at_least('requiredCheckCount', setting['checks']), 'too_few_required_checks'),
             (setting['bindsChecks'], is_as('unboundChecks', 0), 'required_checks_unbound')]
    return ([reason for is_asked, kept, reason in rules if is_asked and kept is False],
            any(is_asked and kept is UNKNOWN for is_asked, kept, _ in rules))


# CHG-05

def applies_chg_05(row):
    return not (value(row['requiredChecks']) == [] and not row.get('disabledChecks'))


def chg_05(row, _):
    faults = faults_in(row)
    failures = [reason for one in faults for reason in one if reason != 'check_reporter_unknown']
    missing = when((any('check_reporter_unknown' in one for one in faults), 'check_reporter_unknown'),
                   (UNKNOWN in (value(row['requiredChecks']), value(row['requiredApps'])), 'required_checks_unknown'),
                   (value(row['checks']) is UNKNOWN, 'checks_missing'), (value(row['headSha']) is UNKNOWN, 'head_unknown'))
    return decide(failures + when((row['disabledChecks'] != [], 'required_check_disabled')), missing,
                  ['required_checks_passed'], covering_moment(row['waivers'], row['mergedAt']))


def faults_in(row):
    """Returns the faults of each required check."""
    checks, head, merged = value(row['checks']), value(row['headSha']), time(row['mergedAt'])
    if checks is UNKNOWN:
        return []
    faults = []
    for name in known(row['requiredChecks']):
        runs = [one for one in checks if one['name'] == name]
        app = next((one['app'] for one in known(row['requiredApps']) if one['name'] == name), None)
        judge = faults_on if app is not None or value(row['requiredApps']) is not UNKNOWN else faults_for_any_app
        if head is not UNKNOWN:
            faults.append(judge([one for one in runs if one['sha'] == head], merged, app))
            continue
        each = [judge([one for one in runs if one['sha'] == sha], merged, app)
                for sha in dict.fromkeys(one['sha'] for one in runs)]
        certain = [one for one in each if one and one != ['check_reporter_unknown']]
        if not each:
            faults.append(['required_check_missing'])
        elif len(certain) == len(each):
            faults.append([reason for one in certain for reason in one])
    return faults


def faults_for_any_app(runs, merged, _):
    """Returns the faults of one required check if every app that may be required leads to some."""
    apps = {one['app'] for one in runs if one['app'] is not None} | {''}
    each = [faults_on(runs, merged, app) for app in apps]
    is_certain = all(faults and faults != ['check_reporter_unknown'] for faults in each)
    return faults_on(runs, merged, None) if is_certain else []


def faults_on(runs, merged, app):
    """Returns the faults of one required check on one commit."""
    if not runs:
        return ['required_check_missing']
    accepted = [one for one in runs if app is None or one['app'] == app]
    if not accepted:
        is_status = any(one['app'] is None for one in runs)
        return ['check_reporter_unknown' if is_status else 'required_check_by_other_app']
    completed = [(one['app'], time(one['completedAt']), one['conclusion'] in ('success', 'neutral')) for one in accepted
                 if one['completedAt'] is not None and time(one['completedAt']) <= merged]
    if not completed:
        return ['required_check_late']
    is_good = all(good or any(other == by and later > at for other, later, _ in completed) for by, at, good in completed)
    return [] if is_good else ['required_check_failed']


# CHG-06 and AI-01

def outside_chg_06(row, setting):
    branch = row['sourceBranch']
    return outside_branches(row, setting) + when(
        (any(matches_any(setting['exemptLabels'], label) for label in known(row['labels'])), 'exemptLabels'),
        (branch['state'] != 'missing' and matches_any(setting['exemptBranches'], branch['value']), 'exemptBranches'))


def chg_06(row, _):
    tickets, issues = value(row['tickets']), value(row['linkedIssues'])
    has_ticket = (tickets is not UNKNOWN and 'resolved' in tickets) or (issues is not UNKNOWN and issues > 0)
    is_reached = tickets is UNKNOWN or 'unreachable' not in tickets
    has_none = UNKNOWN not in (tickets, issues) and not has_ticket and is_reached
    missing = [] if has_ticket else when((not is_reached, 'tracker_unreachable'), (tickets is UNKNOWN, 'tickets_missing'),
                                         (issues is UNKNOWN, 'issues_missing'))
    return decide(when((has_none, 'no_ticket')), missing, ['ticket_found'],
                  covering_moment(row['waivers'], row['mergedAt']))


def may_have_agents(row):
    told = row['attributions']
    return told['state'] != 'complete' or any(one['lines'] > 0 for one in told['value']) or bool(undeclared_agents(row))


def applies_ai_01(row):
    return may_have_agents(row) or value(row['configuredServers']) != []


def outside_ai_01(row, setting):
    return outside_branches(row, setting) + when(
        (not may_have_agents(row) and EVERYTHING in setting['mcpServers'], 'mcpServers'))


def undeclared_agents(row):
    return [one for one in known(row['agents']) if not one['isDeclared'] and one['observed'] == 'yes']


def all_session_owners(row):
    """Returns the declared owners, and those of sessions that certainly contributed."""
    owners = [each['owner'] or {'kind': 'unknown', 'identity': 'unresolved'} for one in known(row['agents'])
              for each in one['sessions'] if is_proof(each) and (each['owner'] is not None or not one['isDeclared'])]
    told = row['sessionOwners']
    if not owners:
        return told
    return {'state': 'partial' if told['state'] == 'missing' else told['state'], 'value': [*known(told), *owners]}


def is_proof(session):
    return session['confidence'] == 'high'


def ai_01(row, setting):
    attributed = [one for one in known(row['attributions']) if one['lines'] > 0]
    is_told, is_declared = (value(row['attributions']) is not UNKNOWN,
                            any(one['confidence'] != 'inferred' for one in attributed))
    undeclared, has_agents = undeclared_agents(row), may_have_agents(row)
    is_certain = is_declared or any(is_proof(each) for one in undeclared for each in one['sessions'])
    open_ = when((not is_told, 'attribution_missing'),
                 (is_told and bool(attributed) and not is_declared, 'agent_only_inferred'),
                 (is_told and bool(undeclared), 'agent_not_declared'))
    agents = [one for one in known(row['agents']) if one['isDeclared'] or one['observed'] == 'yes']
    rules = [agent_rule(agents, setting, is_certain), configuration_rule(row, setting)]
    if has_agents:
        rules += [name_rule(agents, 'models', setting, 'agent_model_not_allowed', 'agent_model_unknown'),
                  name_rule(agents, 'mcpServers', setting, 'mcp_server_not_allowed', 'mcp_servers_unknown'),
                  review_rule(row, setting, is_certain), file_rule(row, setting, is_certain)]
    seen = {'yes': 'agent_observed', 'no': 'agent_not_observed', 'unknown': 'agent_observation_missing'}
    observed = [seen[one['observed']] for one in known(row['agents']) if one['isDeclared']]
    is_restricted = bool(setting['protectedPaths']) or any(
        EVERYTHING not in setting[one] for one in ('agents', 'models', 'mcpServers'))
    return decide([reason for failures, _, _ in rules for reason in failures],
                  open_ + [reason for _, missing, _ in rules for reason in missing],
                  when((is_restricted, 'agent_policy_met')) + [reason for _, _, passes in rules for reason in passes]
                  + ((observed or ['agent_observation_missing']) if has_agents else []),
                  covering_moment(row['waivers'], row['mergedAt']))


EVERYTHING = '**'
NAMELESS = ('an agent', 'a bot')


def is_sure(agent):
    return agent['isDeclared'] or any(is_proof(each) for each in agent['sessions'])


def agent_rule(agents, setting, is_certain):
    if EVERYTHING in setting['agents']:
        return [], [], []
    others = [one for one in agents if not matches_any(setting['agents'], one['agent'])]
    is_nameless = any(one['agent'] in NAMELESS for one in others) or not any(is_sure(one) for one in agents)
    return (when((any(is_sure(one) and one['agent'] not in NAMELESS for one in others), 'agent_not_allowed')),
            when((is_certain and is_nameless, 'agent_name_unknown')), [])


def name_rule(agents, field, setting, failure, unknown):
    if EVERYTHING in setting[field]:
        return [], [], []
    has_other = any(is_sure(one) and any(not matches_any(setting[field], name) for name in known(one[field]))
                    for one in agents)
    is_unknown = not agents or any(value(one[field]) is UNKNOWN for one in agents)
    return when((has_other, failure)), when((is_unknown, unknown)), []


def configuration_rule(row, setting):
    if EVERYTHING in setting['mcpServers']:
        return [], [], []
    told = row['configuredServers']
    return (when((any(not matches_any(setting['mcpServers'], one) for one in known(told)), 'mcp_server_not_allowed')),
            when((value(told) is UNKNOWN, 'configured_servers_unknown')), [])


def review_rule(row, setting, is_certain):
    if setting['approvals'] == 0:
        return [], [], []
    lines, limit = value(row['changedLines']), setting['unreviewedLines']
    if limit > 0 and lines is not UNKNOWN and lines <= limit:
        return [], [], ['agent_change_within_limit']
    failures, missing = assess_approval({**row, 'sessionOwners': all_session_owners(row)}, setting['approvals'])
    if limit > 0 and lines is UNKNOWN:
        return ([], [], ['independent_approval']) if not failures and not missing else ([], ['changed_lines_unknown'], [])
    return (failures, missing, ['independent_approval']) if is_certain else ([], [], [])


def file_rule(row, setting, is_certain):
    if not setting['protectedPaths']:
        return [], [], []
    matches = {one['pattern']: one['isTouched'] for one in known(row['pathMatches'])}
    touches = any(matches.get(pattern) is True for pattern in setting['protectedPaths'])
    is_unknown = (value(row['pathMatches']) is UNKNOWN
                  or any(pattern not in matches for pattern in setting['protectedPaths']))
    return (when((touches and is_certain, 'agent_changed_protected_path')), when((is_unknown, 'changed_files_unknown')), [])
