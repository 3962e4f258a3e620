import { expect, test } from 'vitest';
import { readAgentTraces } from './agent-trace.ts';

const [base, one, two] = ['0', '1', '2'].map((digit) => digit.repeat(40)) as [string, string, string];
const commits = [
  { sha: one, parents: [base] },
  { sha: two, parents: [one] },
];
const conversation = (from: number, to: number, more: object = {}) => ({
  url: 'https://agents.example/conversations/1?token=secret',
  contributor: { type: 'ai', model_id: 'anthropic/claude-opus-4-5' },
  ranges: [{ start_line: from, end_line: to }],
  ...more,
});
const record = (revision: string | null, conversations: object[], more: object = {}) =>
  JSON.stringify({
    version: '0.1.0',
    id: '550e8400-e29b-41d4-a716-446655440000',
    timestamp: '2026-01-23T14:30:00Z',
    ...(revision !== null && { vcs: { type: 'git', revision } }),
    tool: { name: 'cursor', version: '2.4.0' },
    files: [{ path: 'src/app.ts', conversations }],
    ...more,
  });

test('declares lines for a record of the commit and infers those of the preceding commit', () => {
  const { attributed, reading } = readAgentTraces(
    [record(two, [conversation(1, 5)]), record(base, [conversation(7, 9)])].join('\n'),
    commits,
  );
  expect(attributed).toMatchObject([
    {
      commit: two,
      path: 'src/app.ts',
      lines: [{ from: 1, to: 5 }],
      agent: 'Cursor',
      model: 'anthropic/claude-opus-4-5',
      confidence: 'declared',
      source: 'agent-trace',
      owner: null,
    },
    { commit: one, lines: [{ from: 7, to: 9 }], confidence: 'inferred' },
  ]);
  // The URL of a conversation may grant access to it.
  expect(attributed[0]?.session).toMatch(/^c_[0-9a-f]{14}$/);
  expect(reading).toEqual({ source: 'agent-trace', records: 2, malformed: 0, unmatched: 0, dropped: 0, foreign: 0 });
});

test('prefers the revision of the commit over that of the preceding commit', () => {
  expect(readAgentTraces(record(one, [conversation(1, 1)]), commits).attributed).toMatchObject([
    { commit: one, confidence: 'declared' },
  ]);
});

test('ignores human and unknown contributors; ranges override conversations; mixed counts as agent', () => {
  const human = { contributor: { type: 'human' } };
  const { attributed } = readAgentTraces(
    record(one, [
      conversation(1, 2, human),
      conversation(3, 4, { contributor: undefined }),
      { ...conversation(5, 6), ranges: [{ start_line: 5, end_line: 6, ...human }] },
      conversation(7, 8, { contributor: { type: 'mixed' } }),
    ]),
    commits,
  );
  expect(attributed.map(({ lines }) => lines)).toEqual([[{ from: 7, to: 8 }]]);
});

test('leaves the agent unnamed without a tool, even with a model', () => {
  const { attributed } = readAgentTraces(record(one, [conversation(1, 1)], { tool: undefined }), commits);
  expect(attributed).toMatchObject([{ agent: 'an agent', model: 'anthropic/claude-opus-4-5' }]);
});

test('counts malformed and unmatched records and skips records of other changes', () => {
  const { attributed, reading } = readAgentTraces(
    [
      'not json',
      '{"version":"0.1.0"}',
      record(null, [conversation(1, 1)]),
      record('f'.repeat(40), [conversation(1, 1)]),
      record(one, [conversation(9, 3), conversation(0, 1), conversation(2, 2)]),
      record(one, [conversation(1, 1)], { files: [{ path: '/etc/passwd', conversations: [conversation(1, 1)] }] }),
      '',
    ].join('\n'),
    commits,
  );
  expect(attributed).toMatchObject([{ lines: [{ from: 2, to: 2 }] }]);
  expect(reading).toEqual({ source: 'agent-trace', records: 4, malformed: 5, unmatched: 1, dropped: 0, foreign: 0 });
});
