import type { LogEntry } from '@sightline/telemetry/log.ts';
import type { Pause } from '@sightline/telemetry/pause.ts';
import type { ExtensionState } from '../messages.ts';

export type Tone = 'green' | 'yellow' | 'red' | 'gray';
export interface Status {
  tone: Tone;
  words: string;
}

/** The status of the extension: one word and its color. */
export function extensionStatusText({ signIn, pause, problem, waiting }: ExtensionState): Status {
  if (signIn === 'pending') return { tone: 'yellow', words: 'Waiting for sign-in' };
  if (signIn === 'ended') return { tone: 'red', words: 'Sign in again' };
  if (signIn === 'signed-out') return { tone: 'gray', words: 'Signed out' };
  if (pause) return { tone: 'yellow', words: 'Paused' };
  if (problem !== '' && waiting > 0) return { tone: 'yellow', words: 'Offline' };
  return { tone: 'green', words: 'Connected' };
}

export function pauseSentence({ until }: Pause): string {
  return until === null ? 'Nothing is recorded until you resume.' : `Nothing is recorded until ${clockTime(until)}.`;
}

const pageNames: Record<string, string> = {
  pull_request: 'a pull request',
  issue: 'an issue',
  file: 'a file',
  search: 'search results',
};
const copyVerbs: Record<string, string> = { copy: 'Copied', cut: 'Cut', paste: 'Pasted' };
const copyKinds: Record<string, string> = {
  code: 'of code',
  text: 'of text',
  url: 'of a link',
  path: 'of a path',
  number: 'of a number',
  'secret-like': 'of a possible secret',
};
const otherNames: Record<string, string> = {
  extension_installed: 'Extension signed in',
  paused: 'Recording paused',
  resumed: 'Recording resumed',
};

/** All recorded data of an event: the log contains no more than was sent. */
export function eventSentence({ type, identifiers, contentUri }: LogEntry): string {
  const host = contentUri ? new URL(contentUri).hostname : '';
  if (type === 'web_page_view') {
    const page = pageNames[identifiers.kind ?? ''];
    return page ? `Opened ${page} on ${host}` : `Opened ${host}`;
  }
  if (type === 'browser_clipboard') {
    const { action = 'copy', length = '0', kind = 'text' } = identifiers;
    const characters = length === '1' ? '1 character' : `${Number(length).toLocaleString('en')} characters`;
    return `${copyVerbs[action] ?? 'Copied'} ${characters} ${copyKinds[kind] ?? 'of text'} on ${host}`;
  }
  return otherNames[identifiers.what ?? ''] ?? 'Other event';
}

export const stateNames: Record<LogEntry['state'], Status> = {
  waiting: { tone: 'yellow', words: 'Queued' },
  sent: { tone: 'green', words: 'Sent' },
  dropped: { tone: 'red', words: 'Rejected' },
};

/** Local time of day; includes the date for another day. */
export function clockTime(at: number, now = Date.now()): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${time}`;
}
