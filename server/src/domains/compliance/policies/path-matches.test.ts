import { agentChange } from '@sightline/evidence/controls/testing/change-variants.ts';
import { passingRowOf } from '@sightline/evidence/controls/testing/variants.ts';
import { expect, test } from 'vitest';
import { withPathMatches } from './path-matches.ts';

const row = { ...passingRowOf(agentChange), subject: 'change:c1' };
const policy = (protectedPaths: string[]) => ({
  id: 'p',
  version: 1,
  kind: 'ai-provenance' as const,
  scope: { repositories: null, branches: [], tools: [] },
  settings: { 'AI-01': { protectedPaths } },
});
const matchesOf = (isWhole: boolean) =>
  withPathMatches(
    row,
    [policy(['infra/**', 'src/*']), policy(['src/*'])],
    new Map([['c1', { paths: ['src/a.ts', 'docs/b/c.md'], isWhole }]]),
  );

test('a simulation compares the stored files of a change with proposed patterns', () => {
  expect(matchesOf(true)).toMatchObject({
    pathMatches: {
      state: 'complete',
      value: [
        { pattern: 'infra/**', isTouched: false },
        { pattern: 'src/*', isTouched: true },
      ],
    },
  });
  expect(matchesOf(false)).toMatchObject({
    pathMatches: { state: 'partial', value: [{ pattern: 'src/*', isTouched: true }] },
  });
});

test('a simulation keeps what the record says of a change without stored files', () => {
  expect(withPathMatches(row, [policy(['infra/**'])], new Map())).toBe(row);
});
