import { window, workspace } from 'vscode';
import { contextOfRepository, emptyEditorContext } from './explore.ts';
import type { Git } from './git.ts';
import type { EditorParts } from './parts.ts';
import { settings } from './settings.ts';

export interface ContextController {
  /** Sends the repository of the active editor once it stays open for a moment. */
  update: () => void;
  /** Sends it again, for a new connection. */
  resend: () => void;
  dispose: () => void;
}

const SETTLE_MS = 1500;

/** Tells the server which repository and branch is open. Nothing is sent twice, and nothing of excluded folders. */
export function createContextController(
  { pause, presence, onTrouble }: EditorParts,
  git: () => Git | undefined,
): ContextController {
  let timer: NodeJS.Timeout | undefined;
  let sent = '';

  async function send() {
    const uri = window.activeTextEditor?.document.uri ?? workspace.workspaceFolders?.[0]?.uri;
    const repository = uri?.scheme === 'file' ? git()?.getRepository(uri) : undefined;
    const isHidden = (await pause.read()) !== null || (repository && settings.excludes(repository.rootUri.fsPath));
    if (!isHidden && !repository) return;
    const context = isHidden || !repository ? emptyEditorContext : contextOfRepository(repository);
    const json = JSON.stringify(context);
    if (json !== sent && (await presence.reportContext(context))) sent = json;
  }

  function update() {
    clearTimeout(timer);
    timer = setTimeout(() => void send().catch(onTrouble), SETTLE_MS);
  }

  return {
    update,
    resend: () => {
      sent = '';
      update();
    },
    dispose: () => clearTimeout(timer),
  };
}
