import type { EditorContext, EditorContextResponse, OpenedContext } from '@sightline/contract/tools/presence.ts';
import { paths, type SendRequest } from '@sightline/telemetry/api.ts';
import type { ExtensionSignInSession } from '@sightline/telemetry/session.ts';
import { env, type TextEditor, type Uri, window } from 'vscode';
import { type BlamedCommit, commitsOfLines } from './blame.ts';
import { type Git, type GitRepository, pathInside, remoteOfRepository } from './git.ts';
import type { Presence } from './presence.ts';
import { settings } from './settings.ts';

export interface ExploreOptions {
  git: () => Git | undefined;
  presence: Presence;
  session: ExtensionSignInSession;
  callApi: SendRequest;
}

export interface Explore {
  openFile: (uri?: Uri) => Promise<void>;
  openSelection: () => Promise<void>;
}

export function createExplore({ git, presence, session, callApi }: ExploreOptions): Explore {
  const placeOf = (uri: Uri | undefined): { repository: GitRepository; file: string | undefined } | undefined => {
    const repository = uri && uri.scheme === 'file' ? git()?.getRepository(uri) : undefined;
    return repository && uri ? { repository, file: pathInside(repository, uri) } : undefined;
  };

  async function openFile(uri = window.activeTextEditor?.document.uri) {
    const place = placeOf(uri);
    if (!place) return say('this file is not in a git repository.');
    const file = settings.hidesFileNames() ? undefined : place.file;
    const opened = await contextOf({ ...contextOfRepository(place.repository), file: file ?? null });
    if (opened) await open({ context: opened.contextId });
  }

  async function openSelection() {
    const editor = window.activeTextEditor;
    const place = placeOf(editor?.document.uri);
    if (!editor || !place) return say('this file is not in a git repository.');
    const commit = await commitOf(editor, place.repository);
    if (!commit) return;
    const opened = await contextOf({ ...contextOfRepository(place.repository), file: null });
    if (opened) await open({ context: opened.contextId, query: commit.sha });
  }

  /** Undefined after the person was told why. */
  async function contextOf(context: EditorContext): Promise<{ contextId: string } | undefined> {
    const answer = (await presence.reportContext(context)) ?? (await asked(context));
    if (!answer || 'error' in answer) {
      await say(answer ? answer.error.message : 'the server cannot be reached. Try again in a moment.');
      return undefined;
    }
    if (answer.contextId !== null) return { contextId: answer.contextId };
    await say(
      answer.repository
        ? 'Explore is not enabled for your organization.'
        : 'this repository is not enabled in your organization. An Account Owner can enable it under Repositories.',
    );
    return undefined;
  }

  /** The same without a socket. */
  async function asked(context: EditorContext): Promise<EditorContextResponse | undefined> {
    const token = await session.accessToken();
    if (token.kind !== 'token') return undefined;
    const reply = await callApi('POST', paths.context, { token: token.token, body: context });
    if (reply.status === 200) return reply.body as OpenedContext;
    return reply.status === 0 ? undefined : { error: { code: String(reply.status), message: reply.message } };
  }

  return { openFile, openSelection };
}

/** The context while recording is paused, or in an excluded folder. */
export const emptyEditorContext: EditorContext = { workspace: '', repo: null, branch: null, file: null };

export const contextOfRepository = (repository: GitRepository): EditorContext => ({
  workspace: '',
  repo: remoteOfRepository(repository) ?? null,
  branch: repository.state.HEAD?.name ?? null,
  file: null,
});

async function commitOf(
  { document, selection }: TextEditor,
  repository: GitRepository,
): Promise<BlamedCommit | undefined> {
  const blame = await repository.blame(document.uri.fsPath).catch(() => '');
  const changed = commitsOfLines(blame, selection.start.line + 1, selection.end.line + 1);
  const [only] = changed;
  if (!only) {
    await say('the selected lines are not committed yet.');
    return undefined;
  }
  if (changed.length === 1) return only;
  const items = changed.map((commit) => ({
    label: commit.sha,
    description: commit.author,
    detail: commit.when,
    commit,
  }));
  const picked = await window.showQuickPick(items, {
    title: 'Commits that last changed the selected lines',
    placeHolder: 'Select a commit to open in Explore',
    matchOnDescription: true,
  });
  return picked?.commit;
}

async function open(query: Record<string, string>) {
  const url = new URL('/explore', settings.server());
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  // As a string, so that the query arrives as it is.
  await env.openExternal(url.href as unknown as Uri);
}

async function say(what: string): Promise<void> {
  await window.showInformationMessage(`Sightline: ${what}`);
}
