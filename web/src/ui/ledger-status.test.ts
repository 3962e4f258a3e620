import { expect, test } from 'vitest';
import { type LedgerState, ledgerStatementOf } from './ledger-status.ts';

const now = Date.parse('2026-11-22T12:00:00.000Z');
const left = (at: string, party = 'git.example') => ({ kind: 'git', party, size: 1200, at });
const checkpoint = { size: 1204, signedAt: '2026-11-22T11:58:00.000Z', note: '' };

test.each<[string, LedgerState, RegExp, boolean]>([
  ['no anchor', { checkpoint, anchors: [], halted: null }, /1,204 entries.*11:58 UTC.*No external anchor/, true],
  [
    'no checkpoint',
    { checkpoint: null, anchors: [], halted: null },
    /^It has no signed checkpoint.*No external anchor/,
    true,
  ],
  [
    'the newest anchor',
    { checkpoint, anchors: [left('2026-11-01T00:00:00Z', 'old'), left('2026-11-22T10:00:00Z')], halted: null },
    /1,200 entries was published to git\.example on 22 Nov 2026, 10:00 UTC; later entries are not anchored/,
    false,
  ],
  ['an old anchor', { checkpoint, anchors: [left('2026-11-19T10:00:00Z')], halted: null }, /git\.example/, true],
  ['halted', { checkpoint, anchors: [left('2026-11-22T10:00:00Z')], halted: 'why' }, /^It is halted/, true],
  ['no permission', 'hidden', /access to the audit log/, false],
  ['no response', 'unknown', /unknown/, false],
])('%s', (_what, vouched, words, isWeak) => {
  const { message, isWeak: weak } = ledgerStatementOf(vouched, now);
  expect(message).toMatch(words);
  expect(weak).toBe(isWeak);
});
