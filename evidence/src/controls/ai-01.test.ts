import { describe, expect, test } from 'vitest';
import { ai01 } from './ai-01.ts';
import type { JoinedSession } from './change-rows.ts';
import { agentChange, declaredAgent, session } from './testing/change-variants.ts';
import { completeFact, human, missingFact, partialFact, unresolvedActor } from './testing/facts.ts';
import { isInPopulation } from './testing/in-population.ts';
import { testVerdicts } from './testing/table.ts';
import { passingRowOf } from './testing/variants.ts';

const good = passingRowOf(agentChange);
const lines = (confidence: 'declared' | 'observed' | 'inferred', count = 10) => ({ lines: count, confidence });

const undeclared = (joined: JoinedSession) =>
  completeFact([{ ...declaredAgent, isDeclared: false, sessions: [joined] }]);

testVerdicts(ai01, good, [
  ['passes if declared and approved by another person', {}, 'pass', ['agent_observed', 'independent_approval']],
  [
    'passes if observed and approved by another person',
    { attributions: completeFact([lines('observed')]) },
    'pass',
    ['agent_observed', 'independent_approval'],
  ],
  [
    'passes if partly declared and partly inferred',
    { attributions: completeFact([lines('inferred'), lines('declared')]) },
    'pass',
    ['agent_observed', 'independent_approval'],
  ],
  ['fails without approval', { reviews: completeFact([]) }, 'fail', ['no_independent_approval']],
  ['fails if pushed directly', { mergeMethod: completeFact('direct_push') }, 'fail', ['direct_push']],
  [
    'fails if approved by the owner of the session',
    { sessionOwners: completeFact([human('per_reviewer')]) },
    'fail',
    ['no_independent_approval', 'approved_by_session_owner:rev_1'],
  ],
  [
    'fails without approval, even if not all lines are attributed',
    { reviews: completeFact([]), attributions: partialFact([lines('declared')]) },
    'fail',
    ['no_independent_approval'],
  ],
  [
    'has missing evidence if only inferred',
    { attributions: completeFact([lines('inferred')]) },
    'missing_evidence',
    ['agent_only_inferred'],
  ],
  [
    'has missing evidence if only inferred, without approval',
    { attributions: completeFact([lines('inferred')]), reviews: completeFact([]) },
    'missing_evidence',
    ['agent_only_inferred'],
  ],
  [
    'has missing evidence without attributions',
    { attributions: missingFact },
    'missing_evidence',
    ['attribution_missing'],
  ],
  [
    'has missing evidence if partly attributed',
    { attributions: partialFact([lines('declared')]) },
    'missing_evidence',
    ['attribution_missing'],
  ],
  [
    'has missing evidence if the owner of the session is unresolved',
    { sessionOwners: completeFact([unresolvedActor]) },
    'missing_evidence',
    ['session_owner_unresolved'],
  ],
  [
    'passes if declared, and states that connected telemetry shows no session',
    { agents: completeFact([{ ...declaredAgent, observed: 'no', sessions: [] }]) },
    'pass',
    ['agent_not_observed', 'independent_approval'],
  ],
  [
    'passes if declared, and states that no telemetry is connected',
    { agents: partialFact([{ ...declaredAgent, observed: 'unknown', sessions: [] }]) },
    'pass',
    ['agent_observation_missing', 'independent_approval'],
  ],
  [
    'states missing telemetry if the record has none',
    { agents: missingFact },
    'pass',
    ['agent_observation_missing', 'independent_approval'],
  ],
  [
    'has missing evidence if observed by branch and not declared',
    { attributions: completeFact([]), agents: undeclared({ ...session, confidence: 'medium' }) },
    'missing_evidence',
    ['agent_not_declared'],
  ],
  [
    'has missing evidence if observed with certainty, approved and not declared',
    { attributions: completeFact([]), agents: undeclared(session) },
    'missing_evidence',
    ['agent_not_declared'],
  ],
  [
    'fails if observed with certainty, neither declared nor approved',
    { attributions: completeFact([]), agents: undeclared(session), reviews: completeFact([]) },
    'fail',
    ['no_independent_approval'],
  ],
  [
    'has missing evidence if observed by branch, neither declared nor approved',
    {
      attributions: completeFact([]),
      agents: undeclared({ ...session, confidence: 'medium' }),
      reviews: completeFact([]),
    },
    'missing_evidence',
    ['agent_not_declared'],
  ],
  [
    'fails if approved by the owner of an observed session',
    { agents: completeFact([{ ...declaredAgent, sessions: [{ ...session, owner: human('per_reviewer') }] }]) },
    'fail',
    ['no_independent_approval', 'approved_by_session_owner:rev_1'],
  ],
  [
    'does not refuse the owner of a session that is joined by time alone',
    {
      agents: completeFact([
        {
          ...declaredAgent,
          sessions: [{ ...session, owner: human('per_reviewer'), joins: ['time'], confidence: 'low' }],
        },
      ]),
    },
    'pass',
    ['agent_observed', 'independent_approval'],
  ],
  [
    'has missing evidence if the owner of an observed session is unknown and nothing declares it',
    { attributions: completeFact([]), agents: undeclared({ ...session, owner: null }) },
    'missing_evidence',
    ['agent_not_declared', 'session_owner_unresolved'],
  ],
  ['has missing evidence if reviews are unknown', { reviews: missingFact }, 'missing_evidence', ['reviews_missing']],
]);

describe('AI-01: has as population', () => {
  test.each([
    ['a change with lines by an agent', { attributions: completeFact([lines('inferred', 1)]) }, true],
    ['a change with missing attributions', { attributions: missingFact }, true],
    ['a change with incomplete attributions', { attributions: partialFact([]) }, true],
    ['not a change without lines by an agent', { attributions: completeFact([lines('declared', 0)]) }, false],
    [
      'not a change without declared agents and telemetry',
      { attributions: completeFact([]), agents: missingFact },
      false,
    ],
    ['a change with an observed agent', { attributions: completeFact([]), agents: undeclared(session) }, true],
    ['not a change into a branch out of scope', { isDefaultBranch: false, branch: 'try' }, false],
  ])('%s', (_name, change, isIn) => {
    expect(isInPopulation(ai01, { ...good, ...change }, { branches: [] })).toBe(isIn);
  });
});
