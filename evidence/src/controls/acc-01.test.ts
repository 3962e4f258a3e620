import { expect, test } from 'vitest';
import { acc01 } from './acc-01.ts';
import { defaultsOf } from './parameters.ts';
import {
  actorOfUnknownKind,
  completeFact,
  guessedActor,
  missingFact,
  partialFact,
  unresolvedActor,
  validWaiver,
} from './testing/facts.ts';
import { testVerdicts } from './testing/table.ts';
import { access, departure, hostAccess, leftAccess, passingRowOf, strangerAccess } from './testing/variants.ts';

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
  [
    'passes a person who left the directory, and whose membership ended within the limit',
    { acts: [], departures: [departure] },
    'pass',
    ['access_ended_after_leaving'],
  ],
  [
    'fails a membership a minute after the limit',
    { departures: [{ ...departure, memberMinutes: 61 }] },
    'fail',
    ['member_after_leaving'],
  ],
  [
    'has missing evidence if the membership of a person who left is unknown',
    { departures: [{ ...departure, memberMinutes: null }] },
    'missing_evidence',
    ['membership_unknown'],
  ],
  [
    'passes access that ended within the limit after leaving, also of an active member',
    {
      hostAccess: completeFact([{ ...hostAccess, to: '2026-07-21T10:00:00.000Z' }]),
      departures: [{ ...departure, hostAccessMinutes: 1440 }],
    },
    'pass',
    ['member_at_each_act', 'member_during_access', 'access_ended_after_leaving'],
  ],
  [
    'fails access a moment after the limit after leaving',
    {
      hostAccess: completeFact([{ ...hostAccess, to: '2026-07-21T10:00:00.001Z' }]),
      departures: [departure],
    },
    'fail',
    ['host_access_after_leaving'],
  ],
  [
    'passes access of a person who returned before it began',
    {
      hostAccess: completeFact([{ ...hostAccess, from: '2026-07-25T00:00:00.000Z', to: '2026-08-01T00:00:00.000Z' }]),
      departures: [{ ...departure, returnedAt: '2026-07-24T00:00:00.000Z' }],
    },
    'pass',
    ['member_at_each_act', 'member_during_access', 'access_ended_after_leaving'],
  ],
  ['has missing evidence if acts are unknown', { acts: [] }, 'missing_evidence', ['acts_missing']],
  [
    'passes an active member with access and without acts',
    { acts: [], hostAccess: completeFact([hostAccess]) },
    'pass',
    ['member_during_access'],
  ],
  [
    'passes access that ended within the limit after the membership',
    { hostAccess: completeFact([hostAccess, { ...leftAccess, to: '2026-07-21T10:00:00.000Z' }]) },
    'pass',
    ['member_at_each_act', 'member_during_access'],
  ],
  [
    'fails access a moment after the limit',
    { hostAccess: completeFact([leftAccess]) },
    'fail',
    ['host_access_after_deactivation'],
  ],
  [
    'fails access that was given again after the limit',
    {
      hostAccess: completeFact([{ ...leftAccess, from: '2026-08-01T00:00:00.000Z', to: '2026-08-01T01:00:00.000Z' }]),
    },
    'fail',
    ['host_access_after_deactivation'],
  ],
  [
    'fails short access of a person who is no member, also to read only',
    { acts: [], hostAccess: completeFact([{ ...strangerAccess, permission: 'read' }]) },
    'fail',
    ['host_access_of_non_member'],
  ],
  [
    'does not count access to read if the setting says so',
    { hostAccess: completeFact([{ ...strangerAccess, permission: 'triage' }]) },
    'pass',
    ['member_at_each_act', 'member_during_access'],
    { readAccess: false },
  ],
  [
    'passes access of a person who joined within the limit',
    { hostAccess: completeFact([{ ...strangerAccess, until: '2026-07-06T10:00:00.000Z' }]) },
    'pass',
    ['member_at_each_act', 'member_during_access'],
  ],
  [
    'counts the limit from the first access of a person who joined',
    {
      hostAccess: completeFact([
        strangerAccess,
        {
          ...strangerAccess,
          from: '2026-07-10T10:00:00.000Z',
          to: '2026-07-10T11:00:00.000Z',
          until: '2026-07-10T11:00:00.000Z',
        },
      ]),
    },
    'fail',
    ['host_access_of_non_member'],
  ],
  [
    'has missing evidence if access is not known at some time',
    { hostAccess: partialFact([hostAccess]) },
    'missing_evidence',
    ['host_access_unknown'],
  ],
  [
    'fails known access of a person who is no member, even if other access is unknown',
    { hostAccess: partialFact([strangerAccess]) },
    'fail',
    ['host_access_of_non_member'],
  ],
]);

test('ACC-01: accepts waivers that cover each act that needs one', () => {
  const row = { ...passingRowOf(access), acts: [left, { ...left, at: '2026-07-25T10:00:00.000Z' }] };
  const evaluated = (until: string) =>
    acc01.evaluate({ ...row, waivers: [{ ...validWaiver, until }] }, defaultsOf(acc01.parameters)).verdict;
  expect(evaluated('2026-07-25T10:00:00.001Z')).toBe('waived');
  expect(evaluated('2026-07-25T10:00:00.000Z')).toBe('fail');
});
