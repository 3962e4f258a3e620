import { ACCESS_POLLING_HOURS, ACCESS_VALID_HOURS } from './access-polling.ts';
import { control } from './control.ts';
import { completeValue, knownItems } from './facts.ts';
import { personOf } from './persons.ts';
import type { Reason } from './reasons.ts';
import type { AccessRow, Departure, HostAccessSpan } from './rows.ts';
import { HOUR_MS, parseTime, type TimeSpan } from './times.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversCovering } from './waivers.ts';

const parameters = {
  hours: {
    kind: 'number',
    title: 'Maximum time between membership and access on the code host',
    unit: 'hours',
    default: 24,
    min: 0,
    max: 720,
    stricter: 'lower',
  },
  minutes: {
    kind: 'number',
    title: 'Maximum time between leaving the directory and the end of the membership',
    unit: 'minutes',
    default: 60,
    min: 1,
    max: 43_200,
    stricter: 'lower',
  },
  readAccess: { kind: 'switch', title: 'Read access counts', default: true, stricter: 'on' },
} as const;

/**
 * One act by a certain non-member, or access of one, is a failure, even if other facts are missing. It requires
 * certainty about the actor and that the actor is human.
 */
export const acc01 = control<AccessRow>()({
  id: 'ACC-01',
  title: 'Access limited to active members',
  rule: 'Only active members commit, review and merge, and only active members have access to repositories on their code hosts. People who leave the directory of the organization lose both.',
  population:
    'Every human with a commit, review or merge in the period, and every human who had access to an enabled repository on its code host: as a collaborator, through a team, or as an owner of the organization. Every human who left the directory, if one is connected, and was a member or had such access then.',
  verdicts: {
    pass: 'The person was an active member at each of these activities, and while they had access, apart from the maximum time before the membership began and after it ended. Membership and access of a person who left the directory ended within the maximum times.',
    fail: 'The person acted or had access after deactivation, or was never a member. Or the person left the directory, and membership or access lasted too long.',
    missing_evidence: `The person is unknown or not resolved with certainty, their membership at the time is unknown, or it is unknown at some time who had access to a repository: the access is read every ${ACCESS_POLLING_HOURS} hours and when the code host reports a change, and a reading counts for ${ACCESS_VALID_HOURS} hours.`,
  },
  parameters,
  sources: ['pushes', 'pull_requests', 'identities', 'members', 'host_access', 'repositories'],
  policies: ['access-review'],
  events: ['commit', 'pull_request'],
  happenedAt: ({ periodFrom }) => periodFrom,
  isApplicable: ({ person }) => person.kind !== 'agent',
  evaluate: (row, setting) => {
    const isCertain = personOf(row.person) !== undefined && row.person.kind === 'human';
    const access = knownItems(row.hostAccess).filter((one) => setting.readAccess || canChange(one));
    const wrongActs = row.acts.flatMap(({ at, membership }) => {
      const member = completeValue(membership);
      const span: TimeSpan = [parseTime(at), parseTime(at)];
      return member === 'deactivated' || member === 'never' ? [{ span, reason: words[member] }] : [];
    });
    const wrong = [
      ...wrongActs,
      ...wrongAccess(row, access, setting.hours * HOUR_MS),
      ...lateDepartures(row, access, setting),
    ];
    return decideVerdict({
      failures: isCertain ? wrong.map(({ reason }) => reason) : [],
      missing: [
        ...(personOf(row.person) === undefined ? (['person_unresolved'] as const) : []),
        ...(row.person.kind === 'unknown' ? (['person_kind_unknown'] as const) : []),
        ...([...row.acts, ...access].some(({ membership }) => completeValue(membership) === undefined) ||
        row.departures.some(({ memberMinutes }) => memberMinutes === null)
          ? (['membership_unknown'] as const)
          : []),
        ...(row.acts.length + knownItems(row.hostAccess).length + row.departures.length === 0
          ? (['acts_missing'] as const)
          : []),
        ...(completeValue(row.hostAccess) === undefined ? (['host_access_unknown'] as const) : []),
      ],
      passes: [
        ...(row.acts.length > 0 ? (['member_at_each_act'] as const) : []),
        ...(knownItems(row.hostAccess).length > 0 ? (['member_during_access'] as const) : []),
        ...(row.departures.length > 0 ? (['access_ended_after_leaving'] as const) : []),
      ],
      waivers: waiversCovering(
        row.waivers,
        wrong.map(({ span }) => span),
      ),
    });
  },
});

const words = { deactivated: 'act_after_deactivation', never: 'actor_not_member' } as const satisfies Record<
  string,
  Reason
>;

const canChange = ({ permission }: HostAccessSpan): boolean => permission !== 'read' && permission !== 'triage';

/**
 * The access of a person who is no member, each with its part in the period. `limit` in milliseconds: access may begin
 * that long before the membership, counted from the first access, and end that long after it.
 */
function wrongAccess(
  { periodFrom }: AccessRow,
  access: readonly HostAccessSpan[],
  limit: number,
): readonly { span: TimeSpan; reason: Reason }[] {
  const [start] = access
    .filter(({ membership }) => completeValue(membership) === 'never')
    .map(({ from }) => parseTime(from))
    .toSorted((a, b) => a - b);
  return access.flatMap(({ membership, from, to, since, until }): { span: TimeSpan; reason: Reason }[] => {
    const member = completeValue(membership);
    const span: TimeSpan = [Math.max(parseTime(from), parseTime(periodFrom)), parseTime(to) - 1];
    if (member === 'never') {
      const isJoining = until !== null && parseTime(until) <= (start ?? 0) + limit;
      return isJoining ? [] : [{ span, reason: 'host_access_of_non_member' }];
    }
    const isLate = member === 'deactivated' && parseTime(to) > (since === null ? 0 : parseTime(since) + limit);
    return isLate ? [{ span, reason: 'host_access_after_deactivation' }] : [];
  });
}

/** Memberships and access that lasted too long after a person left the directory, until they returned. */
function lateDepartures(
  { periodFrom, departures }: AccessRow,
  access: readonly HostAccessSpan[],
  { minutes, hours }: { readonly minutes: number; readonly hours: number },
): readonly { span: TimeSpan; reason: Reason }[] {
  const spanOf = (from: string): number => Math.max(parseTime(from), parseTime(periodFrom));
  return departures.flatMap((departure: Departure): { span: TimeSpan; reason: Reason }[] => {
    const { leftAt, returnedAt, memberMinutes } = departure;
    const at = spanOf(leftAt);
    const isLateMember = memberMinutes !== null && memberMinutes > minutes;
    const limit = parseTime(leftAt) + hours * HOUR_MS;
    const lateAccess = access.filter(
      ({ from, to }) => parseTime(to) > limit && (returnedAt === null || parseTime(from) < parseTime(returnedAt)),
    );
    return [
      ...(isLateMember ? [{ span: [at, at] as TimeSpan, reason: 'member_after_leaving' as const }] : []),
      ...lateAccess.map(({ from, to }) => ({
        span: [spanOf(from), parseTime(to) - 1] as TimeSpan,
        reason: 'host_access_after_leaving' as const,
      })),
    ];
  });
}
