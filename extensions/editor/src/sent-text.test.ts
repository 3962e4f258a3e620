import type { LogEntry } from '@sightline/telemetry/log.ts';
import { expect, test } from 'vitest';
import { sentText } from './sent-text.ts';

const to = { server: 'https://sightline.example', account: 'ada@example.org' };
const entry: LogEntry = {
  id: '1',
  at: 0,
  state: 'dropped',
  reason: 'original_timestamp is too old',
  type: 'commit',
  happenedAt: '2026-01-01T00:00:00Z',
  identifiers: { sha: 'abc', branch: 'main' },
  contentUri: null,
};

test('shows recipient, outcome and content', () => {
  const text = sentText([entry], to);
  expect(text).toContain('To https://sightline.example, as ada@example.org');
  expect(text).toContain('## Commit, 2026-01-01T00:00:00Z: rejected (original_timestamp is too old)');
  expect(text).toContain('- sha: abc\n- branch: main');
});

test('reports that nothing was sent', () => {
  expect(sentText([], to)).toContain('no events');
});
