import { expect, test } from 'vitest';
import { entriesOf } from './menu-entries.ts';

const all = { isSignedIn: true, isEnded: false, isPaused: false, isConnected: true, waiting: 0 };
const explore = ['openFile', 'openSelection'];
const pause = ['pauseHour', 'pause'];

test.each([
  ['signed out', { ...all, isSignedIn: false }, ['signIn', 'showSent']],
  ['signed in', all, [...explore, ...pause, 'showSent', 'signOut']],
  ['paused', { ...all, isPaused: true }, [...explore, 'resume', 'showSent', 'signOut']],
  ['ended by the server', { ...all, isEnded: true }, ['signIn', ...pause, 'showSent', 'signOut']],
  ['ended and paused', { ...all, isEnded: true, isPaused: true }, ['signIn', 'resume', 'showSent', 'signOut']],
])('offers applicable actions: %s', (_, condition, names) => {
  expect(entriesOf(condition).map(({ command }) => command.replace('sightline.', ''))).toEqual(names);
});
