import { describe, expect, test } from 'vitest';
import { chg06 } from './chg-06.ts';
import { ticket } from './testing/change-variants.ts';
import { known, missing, partly } from './testing/facts.ts';
import { judges } from './testing/table.ts';
import { goodOf } from './testing/variants.ts';

const good = goodOf(ticket);

judges(chg06, good, [
  ['passes with a key that the tracker knows', {}, 'pass', ['ticket_found']],
  ['passes with one of several', { tickets: known(['not_found', 'resolved']) }, 'pass', ['ticket_found']],
  [
    'passes with a linked issue, tracker or not',
    { tickets: missing, linkedIssues: known(1) },
    'pass',
    ['ticket_found'],
  ],
  ['is an exception with none', { tickets: known([]) }, 'exception', ['no_ticket']],
  [
    'is an exception with a key that the tracker does not know',
    { tickets: known(['not_found']) },
    'exception',
    ['no_ticket'],
  ],
  ['is a gap where the tracker was unreachable', { tickets: known(['unreachable']) }, 'gap', ['tracker_unreachable']],
  ['is a gap where tickets are not known', { tickets: missing }, 'gap', ['tickets_missing']],
  ['is a gap where some are not', { tickets: partly(['not_found']) }, 'gap', ['tickets_missing']],
  ['is a gap where links are not known', { tickets: known([]), linkedIssues: missing }, 'gap', ['issues_missing']],
]);

describe('CHG-06: excludes exempt changes from the population', () => {
  const setting = { branches: [], exemptLabels: ['no-ticket'], exemptBranches: ['dependabot/**'] };
  test.each([
    ['one with an exempt label', { labels: known(['bug', 'no-ticket']) }, false],
    ['one from an exempt branch', { sourceBranch: known('dependabot/npm/vite-9.0.0') }, false],
    ['one with another label and branch', { labels: known(['bug']) }, true],
    ['one whose label and branch are not known', { labels: missing, sourceBranch: missing }, true],
    ['one into a branch out of scope', { isDefaultBranch: false, branch: 'try' }, false],
  ])('%s', (_name, change, isIn) => {
    expect(chg06.belongs({ ...good, ...change }, setting)).toBe(isIn);
  });
});
