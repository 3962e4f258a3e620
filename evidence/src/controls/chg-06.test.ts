import { describe, expect, test } from 'vitest';
import { chg06 } from './chg-06.ts';
import { ticket } from './testing/change-variants.ts';
import { known, missing, partly } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { goodOf } from './testing/variants.ts';

const good = goodOf(ticket);

evaluates(chg06, good, [
  ['passes with a key that the issue tracker knows', {}, 'pass', ['ticket_found']],
  ['passes with one of several keys', { tickets: known(['not_found', 'resolved']) }, 'pass', ['ticket_found']],
  [
    'passes with a linked issue, tracker or not',
    { tickets: missing, linkedIssues: known(1) },
    'pass',
    ['ticket_found'],
  ],
  ['fails without a ticket', { tickets: known([]) }, 'fail', ['no_ticket']],
  ['fails with a key that the issue tracker does not know', { tickets: known(['not_found']) }, 'fail', ['no_ticket']],
  [
    'has missing evidence if the tracker was unreachable',
    { tickets: known(['unreachable']) },
    'missing_evidence',
    ['tracker_unreachable'],
  ],
  ['has missing evidence if tickets are unknown', { tickets: missing }, 'missing_evidence', ['tickets_missing']],
  [
    'has missing evidence if some are unknown',
    { tickets: partly(['not_found']) },
    'missing_evidence',
    ['tickets_missing'],
  ],
  [
    'has missing evidence if links are unknown',
    { tickets: known([]), linkedIssues: missing },
    'missing_evidence',
    ['issues_missing'],
  ],
]);

describe('CHG-06: excludes exempt changes from the population', () => {
  const setting = { branches: [], exemptLabels: ['no-ticket'], exemptBranches: ['dependabot/**'] };
  test.each([
    ['one with an exempt label', { labels: known(['bug', 'no-ticket']) }, false],
    ['a change from an exempt branch', { sourceBranch: known('dependabot/npm/vite-9.0.0') }, false],
    ['a change with another label and branch', { labels: known(['bug']) }, true],
    ['a change with unknown label and branch', { labels: missing, sourceBranch: missing }, true],
    ['a change into a branch out of scope', { isDefaultBranch: false, branch: 'try' }, false],
  ])('%s', (_name, change, isIn) => {
    expect(chg06.isInPopulation({ ...good, ...change }, setting)).toBe(isIn);
  });
});
