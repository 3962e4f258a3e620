import type { ExtensionCondition } from './status.ts';

/** A line of the menu, as the editor shows it, and the command it stands for. */
export interface MenuEntry {
  label: string;
  detail?: string;
  command: string;
}

/** What can be done now, and nothing else. */
export function entriesOf({ isSignedIn, isEnded, isPaused }: ExtensionCondition): MenuEntry[] {
  if (!isSignedIn) return [signIn, sent];
  const recording = isPaused
    ? [entry('debug-continue', 'Resume', 'sightline.resume')]
    : [
        entry('debug-pause', 'Pause for an hour', 'sightline.pauseHour', nothingIsRecorded),
        entry('debug-pause', 'Pause until resumed', 'sightline.pause', nothingIsRecorded),
      ];
  // What is recorded after the server ended a sign-in waits for the next: that can be paused, and given up.
  if (isEnded) return [signIn, ...recording, sent, entry('sign-out', 'Sign out', 'sightline.signOut', nothingWaits)];
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
const nothingIsRecorded = 'Nothing is recorded. Your organization still sees that the editor is connected';
const nothingWaits = 'Nothing is recorded until you sign in';
const signIn = entry('sign-in', 'Sign in', 'sightline.signIn');
const sent = entry('list-unordered', 'Sent events', 'sightline.showSent');
