import { describe, expect, test } from 'vitest';
import { chg06 } from './chg-06.ts';
import { ticket } from './testing/change-variants.ts';
import { completeFact, missingFact, partialFact } from './testing/facts.ts';
import { isInPopulation } from './testing/in-population.ts';
import { testVerdicts } from './testing/table.ts';
import { passingRowOf } from './testing/variants.ts';

const good = passingRowOf(ticket);

testVerdicts(chg06, good, [
  ['passes with a key that the issue tracker knows', {}, 'pass', ['ticket_found']],
  ['passes with one of several keys', { tickets: completeFact(['not_found', 'resolved']) }, 'pass', ['ticket_found']],
  [
    'passes with a linked issue, tracker or not',
    { tickets: missingFact, linkedIssues: completeFact(1) },
    'pass',
    ['ticket_found'],
  ],
  ['fails without a ticket', { tickets: completeFact([]) }, 'fail', ['no_ticket']],
  [
    'fails with a key that the issue tracker does not know',
    { tickets: completeFact(['not_found']) },
    'fail',
    ['no_ticket'],
  ],
  [
    'has missing evidence if the tracker was unreachable',
    { tickets: completeFact(['unreachable']) },
    'missing_evidence',
    ['tracker_unreachable'],
  ],
  ['has missing evidence if tickets are unknown', { tickets: missingFact }, 'missing_evidence', ['tickets_missing']],
  [
    'has missing evidence if some are unknown',
    { tickets: partialFact(['not_found']) },
    'missing_evidence',
    ['tickets_missing'],
  ],
  [
    'has missing evidence if links are unknown',
    { tickets: completeFact([]), linkedIssues: missingFact },
    'missing_evidence',
    ['issues_missing'],
  ],
]);

describe('CHG-06: excludes exempt changes from the population', () => {
  const setting = { branches: [], exemptLabels: ['no-ticket'], exemptBranches: ['dependabot/**'] };
  test.each([
    ['one with an exempt label', { labels: completeFact(['bug', 'no-ticket']) }, false],
    ['a change from an exempt branch', { sourceBranch: completeFact('dependabot/npm/vite-9.0.0') }, false],
    ['a change with another label and branch', { labels: completeFact(['bug']) }, true],
    ['a change with unknown label and branch', { labels: missingFact, sourceBranch: missingFact }, true],
    ['a change into a branch out of scope', { isDefaultBranch: false, branch: 'try' }, false],
  ])('%s', (_name, change, isIn) => {
    expect(isInPopulation(chg06, { ...good, ...change }, setting)).toBe(isIn);
  });
});
