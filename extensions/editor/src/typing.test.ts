import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** Current number of listeners by event name. */
const listening = new Map<string, number>();
const registered: string[] = [];
const count = (name: string) => listening.get(name) ?? 0;

// A fake editor that counts listeners, since no package provides VS Code.
vi.mock('vscode', () => {
  const event = (name: string) => () => {
    listening.set(name, count(name) + 1);
    return { dispose: () => listening.set(name, count(name) - 1) };
  };
  const stub = (own: object) =>
    new Proxy(own, {
      get: (target, key) => {
        if (key in target) return Reflect.get(target, key);
        const name = String(key);
        if (name.startsWith('onDid') || name.startsWith('onWill')) return event(name);
        return (...given: unknown[]) => {
          registered.push(name);
          const provider = given.find(
            (one) => typeof one === 'object' && one !== null && 'prepareDocumentPaste' in one,
          );
          if (provider) pasting = provider as typeof pasting;
          return { dispose: () => undefined, show: () => undefined };
        };
      },
    });
  return {
    env: { appName: 'Visual Studio Code', uriScheme: 'vscode', appHost: 'desktop', language: 'en' },
    version: '1.100.0',
    StatusBarAlignment: { Left: 1, Right: 2 },
    DocumentDropOrPasteEditKind: { Empty: { append: () => ({}) } },
    Uri: { parse: (text: string) => ({ toString: () => text }) },
    EventEmitter: class {
      event = () => ({ dispose: () => undefined });
      fire = () => undefined;
      dispose = () => undefined;
    },
    commands: stub({ executeCommand: async () => undefined }),
    extensions: stub({ all: [], getExtension: () => undefined }),
    languages: stub({}),
    window: stub({ activeTextEditor: undefined }),
    workspace: stub({
      workspaceFolders: [],
      getConfiguration: () => ({ get: (_: string, otherwise: unknown) => otherwise, inspect: () => undefined }),
    }),
  };
});

let pasting: { prepareDocumentPaste: (...given: unknown[]) => unknown } | undefined;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-editor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('runs no listener on typing, except briefly after a copy', async () => {
  const { activate, deactivate } = await import('./extension.ts');
  const subscriptions: { dispose: () => unknown }[] = [];
  activate({
    subscriptions,
    globalStorageUri: { fsPath: folder },
    extension: { packageJSON: { version: '1.0.0' } },
    secrets: {
      get: async () => undefined,
      store: async () => undefined,
      delete: async () => undefined,
      onDidChange: () => ({ dispose: () => undefined }),
    },
  } as unknown as Parameters<typeof activate>[0]);
  await vi.waitFor(() => expect(registered).toContain('registerDocumentPasteEditProvider'), 20_000);
  await vi.waitFor(() => expect(count('onDidChangeActiveTextEditor')).toBe(1), 20_000);

  // Events that an editor may emit for every keystroke or cursor movement.
  const whileTyping = [
    'onDidChangeTextDocument',
    'onDidChangeTextEditorSelection',
    'onDidChangeTextEditorVisibleRanges',
    'onDidChangeDiagnostics',
    'onDidSaveTextDocument',
    'onWillSaveTextDocument',
  ];
  expect(whileTyping.filter((name) => count(name) > 0)).toEqual([]);
  expect(registered.filter((name) => /register(?!Command|UriHandler|Document|TextDocumentContent)/.test(name))).toEqual(
    [],
  );

  // Distinguishes a cut from a copy; the listener is removed afterwards.
  const document = { uri: { scheme: 'untitled' }, languageId: 'plaintext', getText: () => 'text' };
  pasting?.prepareDocumentPaste(document, [{}], { get: () => undefined });
  expect(count('onDidChangeTextDocument')).toBe(1);
  await vi.waitFor(() => expect(count('onDidChangeTextDocument')).toBe(0), 20_000);
  await deactivate();
  for (const { dispose } of subscriptions) dispose();
});
