import { expect, test } from 'vitest';
import { acc01 } from './acc-01.ts';
import { guessed, known, leave, missing, nobody, ofUnknownKind } from './testing/facts.ts';
import { judges } from './testing/table.ts';
import { access, goodOf } from './testing/variants.ts';

const act = { at: '2026-07-02T10:00:00.000Z', membership: known('active') } as const;
const left = { at: '2026-07-20T10:00:00.000Z', membership: known('deactivated') } as const;
const never = { ...act, membership: known('never') } as const;

judges(acc01, goodOf(access), [
  ['passes an active member at each act', { acts: [act, act] }, 'pass', ['member_at_each_act']],
  ['is an exception after deactivation', { acts: [act, left] }, 'exception', ['act_after_leaving']],
  ['is an exception by a person who never was a member', { acts: [never] }, 'exception', ['act_by_stranger']],
  [
    'is an exception after deactivation, whatever is not known of another act',
    { acts: [left, { ...act, membership: missing }] },
    'exception',
    ['act_after_leaving'],
  ],
  ['is a gap where the person is unresolved', { person: nobody, acts: [never] }, 'gap', ['person_unresolved']],
  [
    'is a gap where the person is only guessed',
    { person: guessed('per_1'), acts: [left] },
    'gap',
    ['person_unresolved'],
  ],
  [
    'is a gap where it may be an agent',
    { person: ofUnknownKind('per_1'), acts: [never] },
    'gap',
    ['person_kind_unknown'],
  ],
  [
    'is a gap where membership is not known',
    { acts: [act, { ...act, membership: missing }] },
    'gap',
    ['membership_unknown'],
  ],
  ['is a gap where acts are not known', { acts: [] }, 'gap', ['acts_missing']],
]);

test('ACC-01: counts leave that covers each act that needs it', () => {
  const row = { ...goodOf(access), acts: [left, { ...left, at: '2026-07-25T10:00:00.000Z' }] };
  const judged = (until: string) => acc01.judge({ ...row, approved: [{ ...leave, until }] }, {}).verdict;
  expect(judged('2026-07-25T10:00:00.001Z')).toBe('excepted');
  expect(judged('2026-07-25T10:00:00.000Z')).toBe('exception');
});
