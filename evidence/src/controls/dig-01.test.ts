import { describe, expect, test } from 'vitest';
import { dig01 } from './dig-01.ts';
import { completeFact, missingFact, partialFact } from './testing/facts.ts';
import { isInPopulation } from './testing/in-population.ts';
import { testVerdicts } from './testing/table.ts';
import { digest, passingRowOf } from './testing/variants.ts';

const good = passingRowOf(digest);
const signed = (at: string, bodySha256 = good.bodySha256) => ({ at: `2026-07-${at}T00:00:00.000Z`, bodySha256 });

testVerdicts(dig01, good, [
  ['passes if signed within 7 days', {}, 'pass', ['digest_signed']],
  ['passes if signed after 7 days', { signOffs: completeFact([signed('17')]) }, 'pass', ['digest_signed']],
  ['passes if signed before it was due', { signOffs: completeFact([signed('09')]) }, 'pass', ['digest_signed']],
  [
    'passes if signed in time and again later',
    { signOffs: completeFact([signed('20'), signed('12')]) },
    'pass',
    ['digest_signed'],
  ],
  ['fails if signed late', { signOffs: completeFact([signed('18')]) }, 'fail', ['digest_signed_late']],
  ['fails if not signed', { signOffs: completeFact([]) }, 'fail', ['digest_not_signed']],
  [
    'fails if another body was signed',
    { signOffs: completeFact([signed('12', 'e'.repeat(64))]) },
    'fail',
    ['digest_not_signed'],
  ],
  [
    'has missing evidence if sign-offs are unknown',
    { signOffs: missingFact },
    'missing_evidence',
    ['sign_offs_missing'],
  ],
  [
    'has missing evidence if some are unknown',
    { signOffs: partialFact([signed('12')]) },
    'missing_evidence',
    ['sign_offs_missing'],
  ],
]);

describe('DIG-01: has as population', () => {
  const early = { evaluatedAt: '2026-07-17T00:00:00.000Z' };
  test.each([
    ['a digest whose time limit has passed', {}, true],
    ['a digest that was signed before', { ...early, signOffs: completeFact([signed('12')]) }, true],
    ['not a digest before it is due', { ...early, signOffs: completeFact([]) }, false],
    [
      'not a digest with a sign-off of another body only',
      { ...early, signOffs: completeFact([signed('12', 'e'.repeat(64))]) },
      false,
    ],
    ['one of which sign-offs are not known', { ...early, signOffs: missingFact }, true],
  ])('%s', (_name, change, isIn) => {
    expect(isInPopulation(dig01, { ...good, ...change }, { within: 7 })).toBe(isIn);
  });
});
