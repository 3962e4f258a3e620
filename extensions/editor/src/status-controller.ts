import { commands, StatusBarAlignment, window } from 'vscode';
import type { EditorParts } from './parts.ts';
import { type ExtensionCondition, statusOf } from './status.ts';

export interface StatusController {
  condition: () => ExtensionCondition;
  /** Reads the condition soon and shows it. Changes come in bursts, and reading it needs files. */
  refresh: () => void;
  dispose: () => void;
}

const REFRESH_DELAY_MS = 50;

/** Shows the condition of the extension in the status bar and in the context keys of its menus. */
export function createStatusController(
  { account, pause, queue, presence, sentView, onTrouble }: EditorParts,
  onPauseChanged: (isPaused: boolean) => void,
): StatusController {
  const item = window.createStatusBarItem('sightline.status', StatusBarAlignment.Right);
  let condition: ExtensionCondition = {
    isSignedIn: false,
    isEnded: false,
    isPaused: false,
    isConnected: false,
    waiting: 0,
  };
  let timer: NodeJS.Timeout | undefined;

  function show() {
    const { text, tooltip, label } = statusOf(condition);
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label };
  }

  async function update() {
    const [saved, paused, waiting] = [await account.session.current(), await pause.read(), await queue.size()];
    const { isPaused: wasPaused } = condition;
    condition = {
      isSignedIn: saved !== null,
      isEnded: saved?.ended === true,
      isPaused: paused !== null,
      isConnected: presence.isConnected(),
      waiting,
    };
    show();
    sentView.changed();
    await commands.executeCommand('setContext', 'sightline.signedIn', condition.isSignedIn && !condition.isEnded);
    await commands.executeCommand('setContext', 'sightline.ended', condition.isEnded);
    await commands.executeCommand('setContext', 'sightline.paused', condition.isPaused);
    if (wasPaused !== condition.isPaused) onPauseChanged(condition.isPaused);
  }

  item.name = 'Sightline';
  item.command = 'sightline.menu';
  show();
  item.show();
  return {
    condition: () => condition,
    refresh: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void update().catch(onTrouble);
      }, REFRESH_DELAY_MS);
    },
    dispose: () => {
      clearTimeout(timer);
      item.dispose();
    },
  };
}
