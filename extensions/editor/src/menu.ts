import { commands, window } from 'vscode';
import { entriesOf } from './menu-entries.ts';
import type { ExtensionCondition } from './status.ts';

/** Shows the menu of the status bar. */
export async function showMenu(condition: ExtensionCondition, who: string | undefined): Promise<void> {
  const picked = await window.showQuickPick(entriesOf(condition), {
    title: who === undefined ? 'Sightline' : `Sightline: ${who}`,
  });
  if (picked) await commands.executeCommand(picked.command);
}
