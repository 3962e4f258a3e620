import { expect, test } from 'vitest';
import type { HostFileDifference } from '#providers/host-evidence.ts';
import type { HostCommit } from '../../../../providers/host-facts.ts';
import { readAttributions } from './read.ts';

const at = '2026-01-01T00:00:00.000Z';
const ada = { name: 'Ada', email: 'ada@example.org', login: 'ada', avatarUrl: null };
const commit = (sha: string): HostCommit => ({
  sha,
  message: 'Do',
  author: ada,
  committer: ada,
  parents: ['0'],
  authoredAt: at,
  committedAt: at,
});
/** A hunk that adds lines from a line number on. */
const adds = (path: string, from: number, lines: readonly string[]): HostFileDifference => {
  const patch = [`@@ -${from},0 +${from},${lines.length} @@`, ...lines.map((line) => `+${line}`)].join('\n');
  return { path, previousPath: null, status: 'modified', blob: null, patch };
};
const note = (files: Record<string, string>, id = 's_1') =>
  [
    ...Object.entries(files).map(([path, lines]) => `${path}\n  ${id}::t_1 ${lines}`),
    '---',
    JSON.stringify({ sessions: { [id]: { agent_id: { tool: 'claude', id: 'session' } } } }),
  ].join('\n');

interface RewriteCase {
  commits: readonly string[];
  previous: readonly string[];
  notes: Record<string, string>;
  differences: Record<string, readonly HostFileDifference[]>;
}

const read = ({ commits, previous, notes, differences }: RewriteCase, traces = '') =>
  readAttributions(commits.map(commit), {
    notes: { value: new Map(Object.entries(notes)), at },
    traces: { value: traces, at },
    previous: previous.map(commit),
    differences: new Map(Object.entries(differences)),
  }).attributed.map(({ commit: sha, path, lines, confidence, carriedFrom }) => ({
    sha,
    path,
    lines: lines.map(({ from, to }) => `${from}-${to}`).join(),
    confidence,
    carriedFrom,
  }));

test('carries a note over a rebase, to the lines that the commit adds now', () => {
  const lines = ['one', 'two', 'three'];
  const differences = { old: [adds('a.ts', 5, lines)], new: [adds('a.ts', 25, lines)] };
  expect(read({ commits: ['new'], previous: ['old'], notes: { old: note({ 'a.ts': '5-6' }) }, differences })).toEqual([
    { sha: 'new', path: 'a.ts', lines: '25-26', confidence: 'declared', carriedFrom: 'old' },
  ]);
});

test('infers the lines that a commit still has after a fixup', () => {
  const differences = {
    old: [adds('a.ts', 1, ['one', 'two', 'three', 'four'])],
    new: [adds('a.ts', 1, ['zero', 'one', 'by hand', 'four'])],
  };
  expect(read({ commits: ['new'], previous: ['old'], notes: { old: note({ 'a.ts': '1-4' }) }, differences })).toEqual([
    { sha: 'new', path: 'a.ts', lines: '2-2,4-4', confidence: 'inferred', carriedFrom: 'old' },
  ]);
});

test('carries the notes of all commits that were squashed', () => {
  const differences = {
    first: [adds('a.ts', 1, ['one'])],
    second: [adds('b.ts', 1, ['two']), adds('c.ts', 1, ['by hand'])],
    squashed: [adds('a.ts', 1, ['one']), adds('b.ts', 1, ['two']), adds('c.ts', 1, ['by hand'])],
  };
  const notes = { first: note({ 'a.ts': '1' }), second: note({ 'b.ts': '1' }, 's_2') };
  expect(read({ commits: ['squashed'], previous: ['first', 'second'], notes, differences })).toEqual([
    { sha: 'squashed', path: 'a.ts', lines: '1-1', confidence: 'inferred', carriedFrom: 'first' },
    { sha: 'squashed', path: 'b.ts', lines: '1-1', confidence: 'inferred', carriedFrom: 'second' },
  ]);
});

test('attributes nothing to a commit that adds other lines, or the same lines to another file', () => {
  const differences = {
    old: [adds('a.ts', 1, ['one', 'two'])],
    other: [adds('a.ts', 1, ['three'])],
    moved: [adds('b.ts', 1, ['one', 'two'])],
  };
  const notes = { old: note({ 'a.ts': '1-2' }) };
  expect(read({ commits: ['other', 'moved'], previous: ['old'], notes, differences })).toEqual([]);
});

test('carries only lines that the commit of the note added', () => {
  const lines = ['one', 'two'];
  const differences = { old: [adds('a.ts', 1, lines)], new: [adds('a.ts', 1, lines)] };
  expect(read({ commits: ['new'], previous: ['old'], notes: { old: note({ 'a.ts': '2-9' }) }, differences })).toEqual([
    { sha: 'new', path: 'a.ts', lines: '2-2', confidence: 'declared', carriedFrom: 'old' },
  ]);
});

test('prefers the note of the commit itself, and attributes a line once over several rewrites', () => {
  const lines = ['one', 'two'];
  const all = [adds('a.ts', 1, lines)];
  const differences = { oldest: all, old: all, new: all };
  const notes = { oldest: note({ 'a.ts': '1-2' }), old: note({ 'a.ts': '1-2' }) };
  const carried = read({ commits: ['new'], previous: ['old', 'oldest'], notes, differences });
  expect(carried.map(({ carriedFrom }) => carriedFrom)).toEqual(['old']);
  const own = { ...notes, new: note({ 'a.ts': '1' }) };
  expect(read({ commits: ['new'], previous: ['old', 'oldest'], notes: own, differences })).toEqual([
    { sha: 'new', path: 'a.ts', lines: '1-1', confidence: 'declared', carriedFrom: undefined },
  ]);
});

test('carries the session of a note without lines only to the same change', () => {
  const text = JSON.stringify({ sessions: { s_1: { agent_id: { tool: 'claude' } } } });
  const differences = {
    old: [adds('a.ts', 1, ['one'])],
    same: [adds('a.ts', 9, ['one'])],
    other: [adds('a.ts', 1, ['one', 'two'])],
  };
  expect(read({ commits: ['same', 'other'], previous: ['old'], notes: { old: text }, differences })).toEqual([
    { sha: 'same', path: null, lines: '', confidence: 'declared', carriedFrom: 'old' },
  ]);
});

test('carries a trace that names the commit before its rewrite', () => {
  const lines = ['one', 'two'];
  const differences = { ['a'.repeat(40)]: [adds('a.ts', 1, lines)], new: [adds('a.ts', 11, lines)] };
  const conversation = { contributor: { type: 'ai' }, ranges: [{ start_line: 1, end_line: 2 }] };
  const trace = {
    version: '0.1',
    id: 'x',
    timestamp: at,
    vcs: { type: 'git', revision: 'a'.repeat(40) },
    tool: { name: 'claude' },
    files: [{ path: 'a.ts', conversations: [conversation] }],
  };
  const given = { commits: ['new'], previous: ['a'.repeat(40)], notes: {}, differences };
  expect(read(given, JSON.stringify(trace))).toEqual([
    { sha: 'new', path: 'a.ts', lines: '11-12', confidence: 'declared', carriedFrom: 'a'.repeat(40) },
  ]);
});

test('drops claims about files that are too long to compare, and compares a file once for all its claims', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);
  const sessions = Array.from({ length: 500 }, (_, index) => `s_${index}`);
  const files = (count: number, from: number) => [adds('a.ts', from, lines(count))];
  const of = (count: number) =>
    readAttributions([commit('new')], {
      notes: { value: new Map([['old', manySessions(sessions)]]), at },
      traces: { value: '', at },
      previous: [commit('old')],
      differences: new Map([
        ['old', files(count, 1)],
        ['new', files(count, 5)],
      ]),
    });
  expect(of(1_500).attributed).toHaveLength(500);
  expect(of(2_500)).toMatchObject({ attributed: [], readings: [{ dropped: 500 }] });
});

/** Each session wrote one line of the same file. */
const manySessions = (ids: readonly string[]) =>
  [
    'a.ts',
    ...ids.map((id, index) => `  ${id}::t ${index + 1}`),
    '---',
    JSON.stringify({ sessions: Object.fromEntries(ids.map((id) => [id, { agent_id: { tool: 'claude' } }])) }),
  ].join('\n');
