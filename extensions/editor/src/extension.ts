import { hourMs, type Pause, pauseFor } from '@sightline/telemetry/pause.ts';
import { commands, type ExtensionContext, extensions, StatusBarAlignment, Uri, window, workspace } from 'vscode';
import { isOfSession } from './account.ts';
import { watchCommits } from './commits.ts';
import { watchCopies } from './copies.ts';
import { contextOfRepository, createExplore, emptyEditorContext } from './explore.ts';
import { type Git, gitOf } from './git.ts';
import { readInstallation } from './installation.ts';
import { type InstallReport, reportInstalled } from './installed.ts';
import { showMenu } from './menu.ts';
import { createParts, type EditorParts } from './parts.ts';
import { settings } from './settings.ts';
import { type ExtensionCondition, statusOf } from './status.ts';

const everyMs = 30_000;
const settledMs = 1500;

let closeWindow: (() => Promise<void>) | undefined;

/** Registers commands and link handlers, and defers everything else until after the start. */
export function activate(context: ExtensionContext): void {
  const parts = createParts(context, () => refresh());
  const { account, presence, pause, record, sentView, log } = parts;
  let git: Git | undefined;
  let report: InstallReport | undefined;
  let condition: ExtensionCondition = {
    isSignedIn: false,
    isEnded: false,
    isPaused: false,
    isConnected: false,
    waiting: 0,
  };
  let planned: NodeJS.Timeout | undefined;

  const item = window.createStatusBarItem('sightline.status', StatusBarAlignment.Right);
  item.name = 'Sightline';
  item.command = 'sightline.menu';
  show();
  item.show();

  function show() {
    const { text, tooltip, label } = statusOf(condition);
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label };
  }

  // Changes come in bursts, and a refresh reads files.
  function refresh() {
    planned ??= setTimeout(() => {
      planned = undefined;
      void look().catch(parts.onTrouble);
    }, 50);
  }

  async function look() {
    const [saved, paused, waiting] = [await account.session.current(), await pause.read(), await parts.queue.size()];
    const before = condition;
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
    if (before.isPaused !== condition.isPaused) pauseChanged();
  }

  async function setPause(to: Pause | null) {
    await pause.set(to);
    await record('other', { identifiers: { what: to ? 'paused' : 'resumed' }, evenPaused: true });
    refresh();
    contextChanged();
  }
  // The pause was changed in this or another window, or expired.
  function pauseChanged() {
    void presence.restart().then(sendContext, parts.onTrouble);
    if (!condition.isPaused) report?.soon();
  }

  // The account or server was changed in this or another window.
  function accountChanged() {
    refresh();
    void presence.restart().then(sendContext, parts.onTrouble);
    parts.sender.kick();
    report?.soon();
  }

  let contextTimer: NodeJS.Timeout | undefined;
  let lastContext = '';
  function sendContext() {
    lastContext = '';
    contextChanged();
  }
  function contextChanged() {
    clearTimeout(contextTimer);
    contextTimer = setTimeout(() => void sendContextNow().catch(parts.onTrouble), settledMs);
  }
  async function sendContextNow() {
    const uri = window.activeTextEditor?.document.uri ?? workspace.workspaceFolders?.[0]?.uri;
    const repository = uri?.scheme === 'file' ? git?.getRepository(uri) : undefined;
    const isHidden = (await pause.read()) !== null || (repository && settings.excludes(repository.rootUri.fsPath));
    if (!isHidden && !repository) return;
    const shown = isHidden || !repository ? emptyEditorContext : contextOfRepository(repository);
    if (JSON.stringify(shown) === lastContext || !(await presence.tell(shown))) return;
    lastContext = JSON.stringify(shown);
  }

  const explore = createExplore({ git: () => git, presence, session: account.session, ask: account.ask });
  const on = (name: string, run: (given?: Uri) => unknown) => commands.registerCommand(`sightline.${name}`, run);
  context.subscriptions.push(
    item,
    sentView,
    window.registerUriHandler({ handleUri: (link) => void account.finish(link).then(accountChanged, parts.onTrouble) }),
    on('signIn', () => account.signIn()),
    on('signOut', () => account.signOut().then(accountChanged)),
    on('menu', async () => showMenu(condition, (await account.session.current())?.account.email)),
    on('openFile', (uri) => explore.openFile(uri instanceof Uri ? uri : undefined)),
    on('openSelection', () => explore.openSelection()),
    on('pauseHour', () => setPause(pauseFor(hourMs, Date.now()))),
    on('pause', () => setPause({ until: null })),
    on('resume', () => setPause(null)),
    on('showSent', () => sentView.show()),
    context.secrets.onDidChange((change) => isOfSession(change) && accountChanged()),
    workspace.onDidChangeConfiguration((change) => settings.isServerChanged(change) && accountChanged()),
  );

  const started = setTimeout(() => void start().catch(parts.onTrouble), 0);

  async function start() {
    const { salt, deviceId } = await readInstallation(parts.folder);
    await parts.windows.live();
    await adopt(parts);
    const tick = setInterval(() => void alive().catch(parts.onTrouble), everyMs);
    git = await gitOf().catch(() => undefined);
    report = reportInstalled({ ...account, pause, deviceId, program: parts.program, git: () => git });
    context.subscriptions.push(
      { dispose: () => clearInterval(tick) },
      watchCopies(() => git, salt, record),
      ...(git ? [watchCommits(git, record)] : []),
      report,
      window.onDidChangeActiveTextEditor(contextChanged),
      extensions.onDidChange(refresh),
    );
    accountChanged();
    parts.sender.kick();
  }

  async function alive() {
    await parts.windows.live();
    await adopt(parts);
    refresh();
    void presence.remind();
    contextChanged();
    // A retry detects an expired token and a server that is reachable again.
    if (log.entries().some(({ state }) => state === 'waiting')) parts.sender.kick();
  }

  closeWindow = async () => {
    clearTimeout(started);
    clearTimeout(planned);
    clearTimeout(contextTimer);
    parts.sender.stop();
    await Promise.all([presence.leave(), parts.windows.leave()]);
  };
}

/** Queued events remain in the file for the next window. */
export function deactivate(): Promise<void> | undefined {
  return closeWindow?.();
}

const adopt = ({ windows, queue, note }: EditorParts) =>
  windows.adopt(async (events) => {
    await queue.add(events);
    note(events, 'waiting');
  });
