import { describe, expect, test } from 'vitest';
import { ai01 } from './ai-01.ts';
import { agentChange } from './testing/change-variants.ts';
import { human, known, missing, nobody, partly } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { goodOf } from './testing/variants.ts';

const good = goodOf(agentChange);
const lines = (confidence: 'declared' | 'observed' | 'inferred', count = 10) => ({ lines: count, confidence });

evaluates(ai01, good, [
  ['passes declared and approved by another person', {}, 'pass', ['independent_approval']],
  [
    'passes observed and approved by another person',
    { attributions: known([lines('observed')]) },
    'pass',
    ['independent_approval'],
  ],
  [
    'passes declared in part, and inferred in part',
    { attributions: known([lines('inferred'), lines('declared')]) },
    'pass',
    ['independent_approval'],
  ],
  ['fails without approval', { reviews: known([]) }, 'fail', ['no_independent_approval']],
  ['fails pushed directly', { mergeMethod: known('direct_push') }, 'fail', ['direct_push']],
  [
    'is an exception approved by the owner of the session',
    { sessionOwners: known([human('per_reviewer')]) },
    'fail',
    ['no_independent_approval', 'approved_by_session_owner:rev_1'],
  ],
  [
    'is an exception without approval, though not every line is attributed',
    { reviews: known([]), attributions: partly([lines('declared')]) },
    'fail',
    ['no_independent_approval'],
  ],
  [
    'has missing evidence only inferred',
    { attributions: known([lines('inferred')]) },
    'missing_evidence',
    ['agent_only_inferred'],
  ],
  [
    'is a gap only inferred, without approval',
    { attributions: known([lines('inferred')]), reviews: known([]) },
    'missing_evidence',
    ['agent_only_inferred'],
  ],
  [
    'has missing evidence where nothing attributes',
    { attributions: missing },
    'missing_evidence',
    ['attribution_missing'],
  ],
  [
    'has missing evidence attributed in part',
    { attributions: partly([lines('declared')]) },
    'missing_evidence',
    ['attribution_missing'],
  ],
  [
    'is a gap where the owner of the session is unresolved',
    { sessionOwners: known([nobody]) },
    'missing_evidence',
    ['session_owner_unresolved'],
  ],
  ['has missing evidence where reviews are not known', { reviews: missing }, 'missing_evidence', ['reviews_missing']],
]);

describe('AI-01: has as population', () => {
  test.each([
    ['a change with lines by an agent', { attributions: known([lines('inferred', 1)]) }, true],
    ['a change of which nothing tells', { attributions: missing }, true],
    ['a change of which not everything is told', { attributions: partly([]) }, true],
    ['not a change without lines by an agent', { attributions: known([lines('declared', 0)]) }, false],
    ['not a change into a branch out of scope', { isDefaultBranch: false, branch: 'try' }, false],
  ])('%s', (_name, change, isIn) => {
    expect(ai01.isInPopulation({ ...good, ...change }, { branches: [] })).toBe(isIn);
  });
});
