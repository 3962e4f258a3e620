import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseGitAiNote } from './git-ai.ts';

const commit = 'a'.repeat(40);
const session = (tool: string, more: object = {}) => ({ agent_id: { tool, id: 'x', model: `${tool}-model` }, ...more });
const note = (lines: string, about: object) => `${lines}\n---\n${JSON.stringify(about, null, 2)}`;
const about = (more: object) => ({ schema_version: 'authorship/3.0.0', base_commit_sha: commit, prompts: {}, ...more });

test('reads files, lines and sessions of every note format; lines typed by humans have no agent', () => {
  const read = parseGitAiNote(
    commit,
    note(
      'src/main.rs\n  s_c9883b05a2487d::t_9f8e7d6c5b4a32 1-10,15\n  h_31dce776f88375 35-40\n"src/my file.rs"\n  abcd1234abcd1234 7',
      about({
        prompts: { abcd1234abcd1234: session('cursor', { human_author: 'Ada Lovelace <Ada@example.org>' }) },
        sessions: { s_c9883b05a2487d: session('claude', { human_author: 'bob@example.org' }) },
        humans: { h_31dce776f88375: { author: 'Bob <bob@example.org>' } },
      }),
    ),
  );
  const common = { commit, source: 'git-ai', confidence: 'declared', reportedSessions: ['x'] };
  expect(read).toEqual({
    malformed: 0,
    attributed: [
      {
        ...common,
        path: 'src/main.rs',
        lines: [
          { from: 1, to: 10 },
          { from: 15, to: 15 },
        ],
        agent: 'Claude',
        model: 'claude-model',
        session: 's_c9883b05a2487d',
        owner: { name: '', email: 'bob@example.org', login: null, avatarUrl: null },
      },
      {
        ...common,
        path: 'src/my file.rs',
        lines: [{ from: 7, to: 7 }],
        agent: 'Cursor',
        model: 'cursor-model',
        session: 'abcd1234abcd1234',
        owner: { name: 'Ada Lovelace', email: 'ada@example.org', login: null, avatarUrl: null },
      },
    ],
  });
});

test('attributes a session without lines to the entire commit, also in a note without lines', () => {
  const sessions = about({ sessions: { s_1: session('droid') } });
  for (const text of [JSON.stringify(sessions), `---\n${JSON.stringify(sessions)}`, note('', sessions)]) {
    expect(parseGitAiNote(commit, text)?.attributed).toMatchObject([{ path: null, lines: [], agent: 'droid' }]);
  }
});

test('counts malformed entries and keeps the valid ones', () => {
  const text = note(
    [
      'src/a.ts',
      '  s_1::t_1 4-2',
      '  s_1::t_1 0',
      '  s_2::t_1 1',
      '  s_1::t_1 1-2',
      '/etc/passwd',
      '  s_1::t_1 1',
      'src/b.ts',
      ' s_1::t_1 9',
    ].join('\n'),
    about({ sessions: { s_1: session('claude'), s_3: { agent_id: {} } } }),
  );
  const read = parseGitAiNote(commit, text);
  expect(read?.attributed).toMatchObject([{ path: 'src/a.ts', lines: [{ from: 1, to: 2 }] }]);
  // Three entries, a path that leads out of the repository and its entry, a line with one space, a session without a tool.
  expect(read?.malformed).toBe(7);
});

test.each(['', 'by an agent', '---', '{"schema_version":"other/1"}', '[]', 'null'])(
  'does not accept %j as a git-ai note',
  (text) => {
    expect(parseGitAiNote(commit, text)?.attributed ?? []).toEqual([]);
    if (text !== '[]') expect(parseGitAiNote(commit, text)).toBeNull();
  },
);

test('sanitizes untrusted text: no control characters, no split characters, limited length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (word) => {
      const read = parseGitAiNote(
        commit,
        JSON.stringify(about({ sessions: { s_1: session(word || 'x', { human_author: word }) } })),
      );
      for (const { agent, model, owner } of read?.attributed ?? []) {
        for (const text of [agent, model ?? '', owner?.name ?? '', owner?.email ?? '']) {
          expect(text.isWellFormed()).toBe(true);
          expect(text).not.toMatch(/\p{Cc}/u);
          expect(text.length).toBeLessThanOrEqual(200);
        }
      }
    }),
  );
});
