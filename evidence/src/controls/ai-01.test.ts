import { describe, expect, test } from 'vitest';
import { ai01 } from './ai-01.ts';
import { agentChange } from './testing/change-variants.ts';
import { human, known, missing, nobody, partly } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { goodOf } from './testing/variants.ts';

const good = goodOf(agentChange);
const lines = (confidence: 'declared' | 'observed' | 'inferred', count = 10) => ({ lines: count, confidence });

evaluates(ai01, good, [
  ['passes if declared and approved by another person', {}, 'pass', ['independent_approval']],
  [
    'passes if observed and approved by another person',
    { attributions: known([lines('observed')]) },
    'pass',
    ['independent_approval'],
  ],
  [
    'passes if partly declared and partly inferred',
    { attributions: known([lines('inferred'), lines('declared')]) },
    'pass',
    ['independent_approval'],
  ],
  ['fails without approval', { reviews: known([]) }, 'fail', ['no_independent_approval']],
  ['fails if pushed directly', { mergeMethod: known('direct_push') }, 'fail', ['direct_push']],
  [
    'fails if approved by the owner of the session',
    { sessionOwners: known([human('per_reviewer')]) },
    'fail',
    ['no_independent_approval', 'approved_by_session_owner:rev_1'],
  ],
  [
    'fails without approval, even if not all lines are attributed',
    { reviews: known([]), attributions: partly([lines('declared')]) },
    'fail',
    ['no_independent_approval'],
  ],
  [
    'has missing evidence if only inferred',
    { attributions: known([lines('inferred')]) },
    'missing_evidence',
    ['agent_only_inferred'],
  ],
  [
    'has missing evidence if only inferred, without approval',
    { attributions: known([lines('inferred')]), reviews: known([]) },
    'missing_evidence',
    ['agent_only_inferred'],
  ],
  ['has missing evidence without attributions', { attributions: missing }, 'missing_evidence', ['attribution_missing']],
  [
    'has missing evidence if partly attributed',
    { attributions: partly([lines('declared')]) },
    'missing_evidence',
    ['attribution_missing'],
  ],
  [
    'has missing evidence if the owner of the session is unresolved',
    { sessionOwners: known([nobody]) },
    'missing_evidence',
    ['session_owner_unresolved'],
  ],
  ['has missing evidence if reviews are unknown', { reviews: missing }, 'missing_evidence', ['reviews_missing']],
]);

describe('AI-01: has as population', () => {
  test.each([
    ['a change with lines by an agent', { attributions: known([lines('inferred', 1)]) }, true],
    ['a change with missing attributions', { attributions: missing }, true],
    ['a change with incomplete attributions', { attributions: partly([]) }, true],
    ['not a change without lines by an agent', { attributions: known([lines('declared', 0)]) }, false],
    ['not a change into a branch out of scope', { isDefaultBranch: false, branch: 'try' }, false],
  ])('%s', (_name, change, isIn) => {
    expect(ai01.isInPopulation({ ...good, ...change }, { branches: [] })).toBe(isIn);
  });
});
