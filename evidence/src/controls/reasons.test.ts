import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { explainReason, reasons } from './reasons.ts';

const files = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'words.ts')
  .map(({ name }) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))
  .join('\n');
const tests = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))
  .join('\n');

describe('Each reason', () => {
  test.each(Object.entries(reasons))('has one sentence, and is used by a control and a test: %s', (code, { text }) => {
    expect(text).toMatch(/^[A-Z][^.!?]*\.$/);
    expect(files).toMatch(new RegExp(`['\`]${code}['\`:]`));
    expect(tests).toMatch(new RegExp(`'${code}[':]`));
  });
});

test('describes itself in words, with its ID', () => {
  expect(explainReason('approved_by_author:rev:1')).toEqual({
    code: 'approved_by_author',
    text: 'An approver was an author.',
    about: 'rev:1',
    remedy: null,
  });
});

test('names one remedy for missing evidence', () => {
  expect(explainReason('checks_missing')?.remedy).toMatch(/^Grant .* checks and commit statuses\.$/);
  expect(explainReason('time_not_over')?.remedy).toBe('No action required. The result is final after the limit.');
});

test.each(['', ':', 'nonsense', 'toString', 'constructor:1'])('rejects “%s” as a reason', (reason) => {
  expect(explainReason(reason)).toBeUndefined();
});
