import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { reasons, tellReason } from './reasons.ts';

const files = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'words.ts')
  .map(({ name }) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))
  .join('\n');
const tests = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))
  .join('\n');

describe('Each reason', () => {
  test.each(Object.entries(reasons))(
    'is one sentence, given by a control and shown by a test: %s',
    (code, { says }) => {
      expect(says).toMatch(/^[A-Z][^.!?]*\.$/);
      expect(files).toMatch(new RegExp(`['\`]${code}['\`:]`));
      expect(tests).toMatch(new RegExp(`'${code}[':]`));
    },
  );
});

test('describes itself in words, with its ID', () => {
  expect(tellReason('approved_by_author:rev:1')).toEqual({
    code: 'approved_by_author',
    says: 'An approver was an author.',
    about: 'rev:1',
    closedBy: null,
  });
});

test('names one action that closes a gap', () => {
  expect(tellReason('checks_missing')?.closedBy).toMatch(/^Grant .* checks and commit statuses\.$/);
  expect(tellReason('time_not_over')?.closedBy).toBe('No action required. The result is final after the limit.');
});

test.each(['', ':', 'nonsense', 'toString', 'constructor:1'])('“%s” is no reason', (reason) => {
  expect(tellReason(reason)).toBeUndefined();
});
