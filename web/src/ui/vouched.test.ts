import { expect, test } from 'vitest';
import { type Vouched, vouchingOf } from './vouched.ts';

const now = Date.parse('2026-11-22T12:00:00.000Z');
const left = (at: string, party = 'git.example') => ({ kind: 'git', party, size: 1200, at });
const checkpoint = { size: 1204, signedAt: '2026-11-22T11:58:00.000Z', note: '' };

test.each<[string, Vouched, RegExp, boolean]>([
  ['nobody else', { checkpoint, anchors: [], halted: null }, /1,204 entries.*11:58 UTC.*Only this server/, true],
  ['no checkpoint', { checkpoint: null, anchors: [], halted: null }, /^No checkpoint.*Only this server/, true],
  [
    'the newest anchor',
    { checkpoint, anchors: [left('2026-11-01T00:00:00Z', 'old'), left('2026-11-22T10:00:00Z')], halted: null },
    /1,200 entries was left with git\.example on 22 Nov 2026, 10:00 UTC; only this server vouches for what is newer/,
    false,
  ],
  ['an old anchor', { checkpoint, anchors: [left('2026-11-19T10:00:00Z')], halted: null }, /git\.example/, true],
  ['halted', { checkpoint, anchors: [left('2026-11-22T10:00:00Z')], halted: 'why' }, /^It is halted/, true],
  ['who may not ask', 'hidden', /read the audit log/, false],
  ['no answer', 'unknown', /not known/, false],
])('%s', (_what, vouched, words, isWeak) => {
  const { says, isWeak: weak } = vouchingOf(vouched, now);
  expect(says).toMatch(words);
  expect(weak).toBe(isWeak);
});
