"""Facts, times, persons, waivers and patterns of rows, as docs/format/evaluation.md defines them."""
import re
from datetime import datetime, timedelta, timezone

from texts import is_time, need, units

UNKNOWN = object()
SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def value(fact):
    """Returns the value of a complete fact; UNKNOWN otherwise."""
    need(fact['state'] in ('complete', 'partial', 'missing', 'by_time'), 'The state of a fact is invalid')
    return fact['value'] if fact['state'] == 'complete' else UNKNOWN


def known(fact):
    """Returns the known items of a list, even if incomplete."""
    return [] if fact['state'] == 'missing' else fact['value']


def time(text):
    """Returns the milliseconds since 1970."""
    need(is_time(text), 'A time of a row is invalid')
    return (datetime.strptime(text, '%Y-%m-%dT%H:%M:%S.%f%z') - EPOCH) // timedelta(milliseconds=1)


def truth(holds):
    return 'unknown' if holds is UNKNOWN else 'yes' if holds else 'no'


# Persons

def person_of(actor):
    return actor['person'] if actor['identity'] in ('resolved', 'erased') else None


def is_same(one, other):
    a, b = person_of(one), person_of(other)
    if a is not None and b is not None and (a == b or is_linked(one, b) or is_linked(other, a)):
        return 'yes'
    return 'no' if one['identity'] == other['identity'] == 'resolved' else 'unknown'


def is_linked(actor, person):
    return any(same['person'] == person for same in actor.get('sameAs', []))


def is_among(one, others):
    truths = [is_same(one, other) for other in others]
    return 'yes' if 'yes' in truths else 'unknown' if 'unknown' in truths else 'no'


# Verdicts and waivers

def decide(failures, missing, passes, waivers):
    if failures:
        return ('waived', in_order([*waivers, *failures])) if waivers else ('fail', in_order(failures))
    return ('missing_evidence', in_order(missing)) if missing else ('pass', in_order(passes))


def in_order(reasons):
    return sorted(set(reasons), key=units)


def when(*conditions):
    """Returns the reasons whose condition holds."""
    return [reason for holds, reason in conditions if holds]


def covering(waivers, spans):
    """Returns the reasons of the waivers that cover all spans [from, to] without interruption; none otherwise."""
    valid = sorted(((max(time(one['from']), time(one['decidedAt'])), time(one['until']), one['id']) for one in waivers
                    if one['requestedBy'] != one['decidedBy']), key=lambda one: one[:2])
    covers = [cover(valid, *span) for span in spans]
    return [reason for used in covers for reason in used] if all(covers) else []


def cover(valid, start, end):
    used, reached = [], start
    for since, until, waiver in valid:
        if reached <= end and since <= reached < until:
            used.append(f'approved_waiver:{waiver}')
            reached = until
    return used if reached > end else []


def covering_moment(waivers, moment):
    return covering(waivers, [(time(moment), time(moment))])


# Patterns

def matches(pattern, name):
    """Whether a pattern matches all of a name: * matches characters except a slash, ** any characters."""
    reached = [True] + [False] * len(name)
    for part in re.findall(r'\*\*|.', pattern, re.DOTALL):
        is_star = part in ('*', '**')
        after = [is_star and reached[0]]
        for at, letter in enumerate(name):
            after.append(reached[at + 1] or (after[at] and (part == '**' or letter != '/')) if is_star
                         else reached[at] and letter == part)
        reached = after
    return reached[-1]


def matches_any(patterns, name):
    return any(matches(pattern, name) for pattern in patterns)
