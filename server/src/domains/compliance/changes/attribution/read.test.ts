import { expect, test } from 'vitest';
import { HostRefused } from '#providers/code-host.ts';
import type { HostFileDifference } from '#providers/host-evidence.ts';
import type { HostCommit } from '../../../../providers/host-facts.ts';
import { requestFromHost } from '../host-answer.ts';
import { attributionPart } from '../merges.ts';
import { ATTRIBUTION_LIMITS, countLines } from './attribution-claim.ts';
import { type AttributionSources, agentSharesOf, readAttributions } from './read.ts';

const at = '2026-01-01T00:00:00.000Z';
const ada = { name: 'Ada', email: 'ada@example.org', login: 'ada', avatarUrl: null };
const commit = (sha: string, message: string, additions?: number): HostCommit => ({
  sha,
  message,
  author: ada,
  committer: ada,
  parents: ['0'],
  authoredAt: at,
  committedAt: at,
  ...(additions !== undefined && { changes: { additions, deletions: 0, files: [] } }),
});
const attributionSources = (notes: [string, string | null][], traces: string | null = ''): AttributionSources => ({
  notes: { value: new Map(notes), at },
  traces: { value: traces, at },
  previous: [],
  differences: new Map(),
});
const note = (lines: string) =>
  `src/a.ts\n  s_1::t_1 ${lines}\n---\n${JSON.stringify({ sessions: { s_1: { agent_id: { tool: 'claude' } } } })}`;
const claude = 'Do\n\nCo-authored-by: Claude <noreply@anthropic.com>';

test('counts the most certain source of a commit, and among equals the one with lines', () => {
  const commits = [commit('1', claude, 40), commit('2', claude, 40), commit('3', claude), commit('4', 'Do')];
  const found = readAttributions(commits, attributionSources([['1', note('1-3,2-5')]]));
  expect(agentSharesOf(commits, found)).toEqual([
    { lines: 5, confidence: 'declared' },
    { lines: 40, confidence: 'declared' },
    { lines: 1, confidence: 'declared' },
  ]);
  // The other sources stay recorded.
  expect(found.attributed.filter((one) => one.commit === '1').map(({ source }) => source)).toEqual([
    'trailer',
    'git-ai',
  ]);
});

test('declares the agent of an account that the code host calls a program', () => {
  const of = (name: string) => ({ ...commit('1', 'Do'), author: { ...ada, name, isAgent: true as const } });
  const found = (name: string) => readAttributions([of(name)], attributionSources([])).attributed;
  expect(found('Claude Code')).toMatchObject([{ agent: 'Claude', source: 'host', confidence: 'declared' }]);
  expect(found('Build Service')).toMatchObject([{ agent: 'Build Service', source: 'host' }]);
  expect(found('')).toMatchObject([{ agent: 'a bot', source: 'host' }]);
});

test('prefers a trailer over a trace that only precedes the commit', () => {
  const trace = (revision: string) =>
    JSON.stringify({
      version: '0.1',
      id: 'x',
      timestamp: at,
      vcs: { type: 'git', revision },
      tool: { name: 'claude' },
      files: [
        { path: 'a', conversations: [{ contributor: { type: 'ai' }, ranges: [{ start_line: 1, end_line: 9 }] }] },
      ],
    });
  const traced = readAttributions([commit('1', claude, 3)], attributionSources([], trace('0')));
  expect(agentSharesOf([commit('1', claude, 3)], traced)).toEqual([{ lines: 3, confidence: 'declared' }]);
  const alone = readAttributions([commit('1', 'Do', 3)], attributionSources([], trace('0')));
  expect(agentSharesOf([commit('1', 'Do', 3)], alone)).toEqual([{ lines: 9, confidence: 'inferred' }]);
});

test('skips and counts entries beyond the limit, and an oversized note or trace file entirely', () => {
  const many = Array.from({ length: ATTRIBUTION_LIMITS.stretches + 7 }, (_, index) => 2 * index + 1).join(',');
  const found = readAttributions(
    [commit('1', 'Do'), commit('2', 'Do')],
    attributionSources(
      [
        ['1', note(many)],
        ['2', null],
      ],
      null,
    ),
  );
  expect(found.attributed.reduce((sum, { lines }) => sum + lines.length, 0)).toBe(ATTRIBUTION_LIMITS.stretches);
  expect(found.readings).toEqual([
    { source: 'git-ai', records: 1, malformed: 0, unmatched: 0, dropped: 8, foreign: 0 },
    { source: 'agent-trace', records: 0, malformed: 0, unmatched: 0, dropped: 1, foreign: 0 },
  ]);
});

test('does not attribute lines that the commit does not add, as after a note was copied to another commit', () => {
  const patch = '@@ -1,2 +1,4 @@\n a\n+b\n+c\n d\n@@ -9,2 +11,2 @@\n x\n-y\n+z\n\\ No newline at end of file';
  const file = { path: 'src/a.ts', previousPath: null, status: 'modified', blob: null, patch } as const;
  const read = (files: readonly HostFileDifference[]) =>
    readAttributions([commit('1', 'Do')], {
      ...attributionSources([['1', note('1-3,12-14')]]),
      differences: new Map([['1', files]]),
    });
  expect(read([file]).attributed.map(({ lines }) => lines)).toEqual([
    [
      { from: 2, to: 3 },
      { from: 12, to: 12 },
    ],
  ]);
  expect(read([file]).readings).toMatchObject([{ source: 'git-ai', records: 1, foreign: 3 }]);
  // The commit does not touch the file.
  expect(read([{ ...file, path: 'src/b.ts' }])).toMatchObject({ attributed: [], readings: [{ foreign: 6 }] });
  // The host omits the lines of the file.
  expect(read([{ ...file, patch: null }])).toMatchObject({ attributed: [{}], readings: [{ foreign: 0 }] });
});

test('records no reading for a source without data', () => {
  expect(readAttributions([commit('1', 'Do')], attributionSources([])).readings).toEqual([]);
});

test.each([
  [[], 0],
  [
    [
      [1, 3],
      [2, 5],
    ],
    5,
  ],
  [
    [
      [5, 5],
      [1, 1],
    ],
    2,
  ],
  [
    [
      [1, 9],
      [2, 3],
      [4, 4],
    ],
    9,
  ],
])('counts %j as %i lines', (lines, count) => {
  expect(countLines(lines.map(([from = 0, to = 0]) => ({ from, to })))).toBe(count);
});

test.each([
  [413, 'too_large'],
  [403, 'permission'],
  [501, 'not_requested'],
  [404, 'deleted'],
] as const)(
  'notes that a host refused with %i are missing evidence, even with a trace file',
  async (status, reason) => {
    const notes = await requestFromHost<ReadonlyMap<string, string | null>>(() =>
      Promise.reject(new HostRefused(status, 'refused')),
    );
    const sources = { ...attributionSources([], '{}'), notes };
    const commits = { value: { isWhole: true }, at };
    expect(attributionPart(commits, sources, [])).toMatchObject({ known: { state: 'missing' }, source: { reason } });
    const share = { lines: 3, confidence: 'declared' } as const;
    expect(attributionPart(commits, sources, [share])).toMatchObject({
      known: { state: 'partial', value: [share] },
      source: { state: 'partial', reason },
    });
    expect(attributionPart(commits, attributionSources([]), [])).toMatchObject({ known: { state: 'complete' } });
  },
);
