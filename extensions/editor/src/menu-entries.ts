import type { ExtensionCondition } from './status.ts';

/** A menu entry with its command. */
export interface MenuEntry {
  label: string;
  detail?: string;
  command: string;
}

/** Returns only the entries that currently apply. */
export function entriesOf({ isSignedIn, isEnded, isPaused }: ExtensionCondition): MenuEntry[] {
  if (!isSignedIn) return [signIn, sent];
  const recording = isPaused
    ? [entry('debug-continue', 'Resume', 'sightline.resume')]
    : [
        entry('debug-pause', 'Pause for an hour', 'sightline.pauseHour', pausedDetail),
        entry('debug-pause', 'Pause until resumed', 'sightline.pause', pausedDetail),
      ];
  // Events recorded after the server ended a sign-in are queued for the next one, so the user can pause and discard.
  if (isEnded) return [signIn, ...recording, sent, entry('sign-out', 'Sign out', 'sightline.signOut', signedOutDetail)];
  return [
    entry('search', 'Open this file in Explore', 'sightline.openFile'),
    entry('selection', 'Open the selected lines in Explore', 'sightline.openSelection'),
    ...recording,
    sent,
    entry('sign-out', 'Sign out', 'sightline.signOut'),
  ];
}

const entry = (icon: string, label: string, command: string, detail?: string): MenuEntry => ({
  label: `$(${icon}) ${label}`,
  command,
  ...(detail === undefined ? {} : { detail }),
});
const pausedDetail = 'Nothing is recorded. Your organization still sees that the editor is connected';
const signedOutDetail = 'Nothing is recorded until you sign in';
const signIn = entry('sign-in', 'Sign in', 'sightline.signIn');
const sent = entry('list-unordered', 'Sent events', 'sightline.showSent');
