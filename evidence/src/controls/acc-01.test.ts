import { expect, test } from 'vitest';
import { acc01 } from './acc-01.ts';
import {
  actorOfUnknownKind,
  completeFact,
  guessedActor,
  missingFact,
  unresolvedActor,
  validWaiver,
} from './testing/facts.ts';
import { testVerdicts } from './testing/table.ts';
import { access, passingRowOf } from './testing/variants.ts';

const act = { at: '2026-07-02T10:00:00.000Z', membership: completeFact('active') } as const;
const left = { at: '2026-07-20T10:00:00.000Z', membership: completeFact('deactivated') } as const;
const never = { ...act, membership: completeFact('never') } as const;

testVerdicts(acc01, passingRowOf(access), [
  ['passes an active member at each act', { acts: [act, act] }, 'pass', ['member_at_each_act']],
  ['fails after deactivation', { acts: [act, left] }, 'fail', ['act_after_deactivation']],
  ['fails by a person who never was a member', { acts: [never] }, 'fail', ['actor_not_member']],
  [
    'fails after deactivation, even if facts about another act are missing',
    { acts: [left, { ...act, membership: missingFact }] },
    'fail',
    ['act_after_deactivation'],
  ],
  [
    'has missing evidence if the person is unresolved',
    { person: unresolvedActor, acts: [never] },
    'missing_evidence',
    ['person_unresolved'],
  ],
  [
    'has missing evidence if the person is only guessed',
    { person: guessedActor('per_1'), acts: [left] },
    'missing_evidence',
    ['person_unresolved'],
  ],
  [
    'has missing evidence if the actor may be an agent',
    { person: actorOfUnknownKind('per_1'), acts: [never] },
    'missing_evidence',
    ['person_kind_unknown'],
  ],
  [
    'has missing evidence if membership is unknown',
    { acts: [act, { ...act, membership: missingFact }] },
    'missing_evidence',
    ['membership_unknown'],
  ],
  ['has missing evidence if acts are unknown', { acts: [] }, 'missing_evidence', ['acts_missing']],
]);

test('ACC-01: accepts waivers that cover each act that needs one', () => {
  const row = { ...passingRowOf(access), acts: [left, { ...left, at: '2026-07-25T10:00:00.000Z' }] };
  const evaluated = (until: string) => acc01.evaluate({ ...row, waivers: [{ ...validWaiver, until }] }, {}).verdict;
  expect(evaluated('2026-07-25T10:00:00.001Z')).toBe('waived');
  expect(evaluated('2026-07-25T10:00:00.000Z')).toBe('fail');
});
