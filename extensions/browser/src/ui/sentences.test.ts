import { describe, expect, it } from 'vitest';
import type { ExtensionState } from '../messages.ts';
import { clockTime, eventSentence, extensionStatusText, pauseSentence } from './sentences.ts';

const entry = { id: '1', at: 0, state: 'sent', reason: '', happenedAt: '', contentUri: 'https://github.com/' } as const;

it.each([
  ['web_page_view', { kind: 'pull_request' }, 'Opened a pull request on github.com'],
  ['web_page_view', { kind: 'other' }, 'Opened github.com'],
  ['browser_clipboard', { action: 'cut', length: '1284', kind: 'code' }, 'Cut 1,284 characters of code on github.com'],
  ['browser_clipboard', { action: 'copy', length: '1', kind: 'text' }, 'Copied 1 character of text on github.com'],
  ['browser_clipboard', { length: '40', kind: 'of tomorrow' }, 'Copied 40 characters of text on github.com'],
  ['other', { what: 'paused' }, 'Recording paused'],
] as const)('shows for %s %j: %s', (type, identifiers, sentence) => {
  expect(eventSentence({ ...entry, type, identifiers })).toBe(sentence);
});

describe('the status', () => {
  const state = { signIn: 'signed-in', pause: null, problem: '', waiting: 0 } as ExtensionState;
  it.each([
    ['Connected', {}],
    ['Offline', { problem: 'The server could not be reached.', waiting: 2 }],
    ['Connected', { problem: 'The server could not be reached.' }],
    ['Paused', { pause: { until: null } }],
    ['Sign in again', { signIn: 'ended' as const }],
    ['Waiting for sign-in', { signIn: 'pending' as const }],
    ['Signed out', { signIn: 'signed-out' as const }],
  ])('is %s', (words, change) => {
    expect(extensionStatusText({ ...state, ...change }).words).toBe(words);
  });
});

it('shows how long a pause lasts, with the day if it is another', () => {
  expect(pauseSentence({ until: null })).toBe('Nothing is recorded until you resume.');
  const noon = new Date(2026, 10, 20, 12, 5).getTime();
  expect(clockTime(noon, noon)).toBe('12:05');
  expect(clockTime(noon, noon + 24 * 60 * 60_000)).toBe('20 Nov, 12:05');
});
