import { expect, test } from 'vitest';
import { completionAt, suggestCompletions } from './complete.ts';
import type { Key } from './keys.ts';

const known = (key: Key) =>
  key === 'repo' ? [{ value: 'acme/api' }, { value: 'acme/web' }] : key === 'actor' ? [{ value: 'Ada Byron' }] : [];

/** `|` marks the caret. */
function at(marked: string) {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const completion = completionAt(text, caret);
  return {
    key: completion.key,
    typed: completion.typed,
    replaced: text.slice(completion.start, completion.end),
    labels: suggestCompletions(completion, known).map(({ label }) => label),
  };
}

test.each([
  ['|', undefined, '', 'kind:'],
  ['ki|', undefined, 'ki', 'kind:'],
  ['-ki|', undefined, 'ki', 'kind:'],
  ['(ki|', undefined, 'ki', 'kind:'],
  ['auth|', undefined, 'auth', 'actor:'],
  ['kind:|', 'kind', '', 'commit'],
  ['kind:com|', 'kind', 'com', 'commit'],
  ['Type:web|', 'kind', 'web', 'web_page_view'],
  ['severity:>=h|', 'severity', 'h', 'high'],
  ['repo:|', 'repo', '', 'acme/api'],
  ['repo:[acme/api, acme/w|', 'repo', 'acme/w', 'acme/web'],
  ['repo:acme/api,web|', 'repo', 'web', 'acme/web'],
  ['actor:"Ada B|', 'actor', 'Ada B', 'Ada Byron'],
  ['kind:commit re|', undefined, 're', 'repo:'],
  ['after:|', 'after', '', 'today'],
])('completes at %s the key %s after “%s”, with %s first', (marked, key, typed, first) => {
  const found = at(marked);
  expect([found.key, found.typed]).toEqual([key, typed]);
  expect(found.labels[0]).toBe(first);
});

test('replaces the whole word, including the part after the caret', () => {
  expect(at('kind:com|mit x').replaced).toBe('commit');
  expect(at('ki|nd').replaced).toBe('kind');
});

test('suggests values for the qualifier, and numbers for comparisons', () => {
  expect(at('ai:|').labels).toContain('declared');
  expect(at('ai:>=|').labels).toEqual(['0.25', '0.5', '0.75', '1']);
  expect(at('severity:>=h|').labels).toContain('high');
});

test('quotes a value with spaces', () => {
  expect(suggestCompletions(completionAt('actor:ada', 9), known)[0]?.text).toBe('"Ada Byron"');
});

test('suggests nothing without a match', () => {
  expect(at('zzz|').labels).toEqual([]);
});
