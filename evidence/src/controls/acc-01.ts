import { control } from './control.ts';
import { completeValue } from './facts.ts';
import { personOf } from './persons.ts';
import type { Reason } from './reasons.ts';
import type { AccessRow } from './rows.ts';
import { parseTime } from './times.ts';
import { decideVerdict } from './verdicts.ts';
import { waiversCovering } from './waivers.ts';

/**
 * One act by a certain non-member is a failure, even if facts about other acts are missing. It requires certainty about
 * the actor and that the actor is human.
 */
export const acc01 = control<AccessRow>()({
  id: 'ACC-01',
  title: 'Access limited to active members',
  rule: 'Only active members commit, review and merge.',
  population: 'Every human with a commit, review or merge in the period.',
  verdicts: {
    pass: 'The person was an active member at each of these activities.',
    fail: 'The person acted after deactivation, or was never a member.',
    missing_evidence:
      'The person is unknown or not resolved with certainty, or their membership at the time is unknown.',
  },
  parameters: {},
  sources: ['pushes', 'pull_requests', 'identities', 'members'],
  policies: [],
  events: ['commit', 'pull_request'],
  happenedAt: ({ periodFrom }) => periodFrom,
  isApplicable: ({ person }) => person.kind !== 'agent',
  evaluate: (row) => {
    const isCertain = personOf(row.person) !== undefined && row.person.kind === 'human';
    const wrong = row.acts.flatMap(({ at, membership }) => {
      const member = completeValue(membership);
      return member === 'deactivated' || member === 'never' ? [{ at: parseTime(at), reason: words[member] }] : [];
    });
    return decideVerdict({
      failures: isCertain ? wrong.map(({ reason }) => reason) : [],
      missing: [
        ...(personOf(row.person) === undefined ? (['person_unresolved'] as const) : []),
        ...(row.person.kind === 'unknown' ? (['person_kind_unknown'] as const) : []),
        ...(row.acts.some(({ membership }) => completeValue(membership) === undefined)
          ? (['membership_unknown'] as const)
          : []),
        ...(row.acts.length === 0 ? (['acts_missing'] as const) : []),
      ],
      passes: ['member_at_each_act'],
      waivers: waiversCovering(
        row.waivers,
        wrong.map(({ at }) => [at, at]),
      ),
    });
  },
});

const words = { deactivated: 'act_after_deactivation', never: 'actor_not_member' } as const satisfies Record<
  string,
  Reason
>;
