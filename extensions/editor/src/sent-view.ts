import type { Log } from '@sightline/telemetry/log.ts';
import type { ExtensionSignInSession } from '@sightline/telemetry/session.ts';
import { type Disposable, EventEmitter, Uri, window, workspace } from 'vscode';
import type { SentFile } from './sent-file.ts';
import { sentText } from './sent-text.ts';
import { settings } from './settings.ts';

const scheme = 'sightline-sent';
const uri = Uri.parse(`${scheme}:Sent events.md`);

export interface SentView extends Disposable {
  show: () => Promise<void>;
  changed: () => void;
}

/** A read-only document, so that all text functions of the editor apply. */
export function createSentView(log: Log, file: SentFile, session: ExtensionSignInSession): SentView {
  const changes = new EventEmitter<Uri>();
  const provider = workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changes.event,
    provideTextDocumentContent: async () => {
      const waiting = log.entries().filter(({ state }) => state === 'waiting');
      const saved = await session.current();
      return sentText([...waiting, ...(await file.read())], {
        server: settings.server() ?? 'no server yet',
        account: saved?.account.email ?? 'nobody',
      });
    },
  });
  return {
    show: async () => {
      changes.fire(uri);
      await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
    },
    changed: () => changes.fire(uri),
    dispose: () => {
      provider.dispose();
      changes.dispose();
    },
  };
}
