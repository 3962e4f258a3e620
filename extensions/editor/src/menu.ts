import { commands, type QuickPickItem, window } from 'vscode';
import type { Condition } from './status.ts';

type Entry = QuickPickItem & { command: string };

/** What the status bar opens: what can be done now, and nothing else. */
export async function showMenu(condition: Condition, who: string | undefined): Promise<void> {
  const picked = await window.showQuickPick(entriesOf(condition), {
    title: who === undefined ? 'Sightline' : `Sightline: ${who}`,
  });
  if (picked) await commands.executeCommand(picked.command);
}

function entriesOf({ isSignedIn, isEnded, isPaused }: Condition): Entry[] {
  if (!isSignedIn || isEnded) return [entry('sign-in', 'Sign in', 'sightline.signIn'), sent];
  return [
    entry('search', 'Open this file in Explore', 'sightline.openFile'),
    entry('selection', 'Open the selected lines in Explore', 'sightline.openSelection'),
    ...(isPaused
      ? [entry('debug-continue', 'Resume', 'sightline.resume')]
      : [
          entry('debug-pause', 'Pause for an hour', 'sightline.pauseHour', nothingIsRecorded),
          entry('debug-pause', 'Pause until resumed', 'sightline.pause', nothingIsRecorded),
        ]),
    sent,
    entry('sign-out', 'Sign out', 'sightline.signOut'),
  ];
}

const entry = (icon: string, label: string, command: string, detail?: string): Entry => ({
  label: `$(${icon}) ${label}`,
  command,
  ...(detail === undefined ? {} : { detail }),
});
const nothingIsRecorded = 'Nothing is recorded; your organisation still sees that the editor is connected';
const sent = entry('list-unordered', 'What was sent', 'sightline.showSent');
