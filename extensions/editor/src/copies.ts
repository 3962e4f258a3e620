import { clipboardFacts } from '@sightline/telemetry/redact.ts';
import {
  type DataTransfer,
  type Disposable,
  DocumentDropOrPasteEditKind,
  type DocumentPasteEditProvider,
  languages,
  type Range,
  type TextDocument,
  workspace,
} from 'vscode';
import { type Git, pathInside, remoteOfRepository } from './git.ts';
import type { RecordEvent } from './recorder.ts';
import { settings } from './settings.ts';

const plain = 'text/plain';
// A cut removes the text from the document immediately.
const cutWithinMs = 250;
const schemes = ['file', 'untitled', 'vscode-notebook-cell', 'git', 'vscode-remote', 'vscode-vfs'];

/**
 * Records copies in an editor. VS Code calls `prepareDocumentPaste` after it has written the clipboard, so the copy
 * neither waits for us nor fails with us. The clipboard is never read, so content of other programs is never seen.
 */
export function watchCopies(
  git: () => Git | undefined,
  salt: Uint8Array<ArrayBuffer>,
  record: RecordEvent,
): Disposable {
  const provider: DocumentPasteEditProvider = {
    prepareDocumentPaste(document, ranges, data) {
      const action = actionOf(document, ranges);
      // Not awaited, since a following paste would wait for it.
      void Promise.all([copied(document, ranges, data), action])
        .then(([text, which]) => recordCopy(document, text, which))
        .catch(() => undefined);
    },
  };

  async function recordCopy(document: TextDocument, text: string, action: string) {
    const { uri } = document;
    if (text === '' || (uri.scheme === 'file' && settings.excludes(uri.fsPath))) return;
    const repository = uri.scheme === 'file' ? git()?.getRepository(uri) : undefined;
    const identifiers = {
      ...(await clipboardFacts(text, salt)),
      action,
      language: document.languageId,
      repository: repository ? remoteOfRepository(repository) : undefined,
      file: repository && !settings.hidesFileNames() ? pathInside(repository, uri) : undefined,
    };
    await record('ide_clipboard', { identifiers });
  }

  return languages.registerDocumentPasteEditProvider(
    schemes.map((scheme) => ({ scheme })),
    provider,
    { copyMimeTypes: [plain], providedPasteEditKinds: [DocumentDropOrPasteEditKind.Empty.append('sightline')] },
  );
}

async function copied(document: TextDocument, ranges: readonly Range[], data: DataTransfer): Promise<string> {
  const given = await data.get(plain)?.asString();
  return given || ranges.map((range) => document.getText(range)).join('\n');
}

function actionOf(document: TextDocument, ranges: readonly Range[]): Promise<'copy' | 'cut'> {
  return new Promise((resolve) => {
    const end = (action: 'copy' | 'cut') => {
      listening.dispose();
      clearTimeout(timer);
      resolve(action);
    };
    const timer = setTimeout(() => end('copy'), cutWithinMs);
    const listening = workspace.onDidChangeTextDocument(({ document: changed, contentChanges }) => {
      const cut = contentChanges.some(
        (change) => change.text === '' && ranges.some((range) => range.isEqual(change.range)),
      );
      if (changed === document && cut) end('cut');
    });
  });
}
