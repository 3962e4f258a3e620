import { describe, expect, test } from 'vitest';
import { auditActionLabel, auditActions, auditActionsMatching } from './audit-actions.ts';
import { auditKeyLabel, auditSentence, formatAuditValue } from './audit-sentence.ts';

const sentence = (action: string, subject: string | null, data: Parameters<typeof auditSentence>[0]['data'] = {}) =>
  auditSentence({ action, subject, data });

describe('a sentence', () => {
  test('names the subject, and shows values by their names', () => {
    const data = { before: { role: 'rol_contributor' }, after: { role: 'rol_auditor' } };
    expect(sentence('member.role_changed', 'Ada', data)).toEqual([
      { text: 'changed the role of' },
      { text: 'Ada', subject: true },
      { text: 'from Code Contributor to Auditor' },
    ]);
  });

  test('omits what an older entry does not contain', () => {
    expect(sentence('member.role_changed', 'Ada')).toEqual([
      { text: 'changed the role of' },
      { text: 'Ada', subject: true },
    ]);
    expect(sentence('login.succeeded', 'Ada')).toEqual([{ text: 'signed in' }]);
  });

  test('names deleted targets as deleted, and unknown actions by their identifier', () => {
    expect(sentence('repository.enabled', null)).toEqual([
      { text: 'enabled' },
      { text: 'deleted item', subject: true },
    ]);
    expect(sentence('thing.exploded', 'the thing').map(({ text }) => text)).toEqual([
      'performed an action unknown to this version, thing.exploded, to',
      'the thing',
    ]);
    expect(sentence('thing.exploded', null)).toEqual([
      { text: 'performed an action unknown to this version, thing.exploded' },
    ]);
  });

  test('keeps braces and dollar signs in the name of a subject', () => {
    expect(sentence('repository.enabled', '{data.x} $& [y]')[1]).toEqual({ text: '{data.x} $& [y]', subject: true });
  });

  test.each(Object.keys(auditActions))('has a sentence for %s that needs no optional data', (action) => {
    const words = sentence(action, 'X')
      .map(({ text }) => text)
      .join(' ');
    expect(words).not.toMatch(/[[\]{}]|deleted item|undefined| {2}/);
  });
});

test('formats values for people', () => {
  expect(
    [true, false, null, '', 3, 'rol_owner', 'github', ['a', 'b'], [], { a: 1, bC: [2] }].map(formatAuditValue),
  ).toEqual(['yes', 'no', 'nothing', 'nothing', '3', 'Account Owner', 'GitHub', 'a, b', 'nothing', 'A: 1, B c: 2']);
  expect(['displayName', 'default_branch', 'role'].map(auditKeyLabel)).toEqual([
    'Display name',
    'Default branch',
    'Role',
  ]);
});

test('finds actions by the words shown', () => {
  expect(auditActionsMatching('signed in')).toContain('login.succeeded');
  expect(auditActionsMatching('before.role')).toEqual([]);
  expect([auditActionLabel('login.failed'), auditActionLabel('thing.exploded')]).toEqual([
    'Sign-in failed',
    'thing.exploded',
  ]);
});
