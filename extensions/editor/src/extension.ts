import { join } from 'node:path';
import { hourMs, type Pause, pauseFor } from '@sightline/telemetry/pause.ts';
import { commands, type ExtensionContext, extensions, Uri, window, workspace } from 'vscode';
import { isOfSession } from './account.ts';
import { watchCommits } from './commits.ts';
import { createContextController } from './context-controller.ts';
import { watchCopies } from './copies.ts';
import { createExplore } from './explore.ts';
import { type Git, gitOf } from './git.ts';
import { readInstallation } from './installation.ts';
import { type InstallReport, reportInstalled } from './installed-extensions.ts';
import { showMenu } from './menu.ts';
import { createParts, type EditorParts } from './parts.ts';
import { settings } from './settings.ts';
import { createStatusController } from './status-controller.ts';

const TICK_MS = 30_000;

let stop: (() => Promise<void>) | undefined;

/** Registers commands and handlers, and defers everything else until after the start of the editor. */
export function activate(context: ExtensionContext): void {
  const parts = createParts(context, () => status.refresh());
  const { account, presence, pause, record, sentView } = parts;
  let git: Git | undefined;
  let report: InstallReport | undefined;
  const editorContext = createContextController(parts, () => git);
  const reconnect = () => void presence.restart().then(editorContext.resend, parts.onTrouble);
  // Paused or resumed here, in another window, or by the end of the pause.
  const status = createStatusController(parts, (isPaused) => {
    reconnect();
    if (!isPaused) report?.soon();
  });

  // Signed in or out, here or in another window, or at another server.
  function accountChanged() {
    status.refresh();
    reconnect();
    parts.sender.kick();
    report?.soon();
  }

  async function setPause(to: Pause | null) {
    await pause.set(to);
    await record('other', { identifiers: { what: to ? 'paused' : 'resumed' }, evenPaused: true });
    status.refresh();
    editorContext.update();
  }

  const explore = createExplore({ git: () => git, presence, session: account.session, callApi: account.callApi });
  const on = (name: string, run: (given?: Uri) => unknown) => commands.registerCommand(`sightline.${name}`, run);
  context.subscriptions.push(
    status,
    editorContext,
    sentView,
    window.registerUriHandler({ handleUri: (link) => void account.finish(link).then(accountChanged, parts.onTrouble) }),
    on('signIn', () => account.signIn()),
    on('signOut', () => account.signOut().then(accountChanged)),
    on('menu', async () => showMenu(status.condition(), (await account.session.current())?.account.email)),
    on('openFile', (uri) => explore.openFile(uri instanceof Uri ? uri : undefined)),
    on('openSelection', () => explore.openSelection()),
    on('pauseHour', () => setPause(pauseFor(hourMs, Date.now()))),
    on('pause', () => setPause({ until: null })),
    on('resume', () => setPause(null)),
    on('showSent', () => sentView.show()),
    context.secrets.onDidChange((change) => isOfSession(change) && accountChanged()),
    workspace.onDidChangeConfiguration((change) => {
      if (settings.isServerChanged(change)) accountChanged();
      else if (settings.isReportChanged(change)) report?.soon();
    }),
  );

  async function start() {
    const { salt, deviceId } = await readInstallation(parts.folder);
    await keepAlive(parts);
    const timer = setInterval(() => void tick().catch(parts.onTrouble), TICK_MS);
    git = await gitOf().catch(() => undefined);
    // `User/globalStorage/sightline.sightline`
    const userFolder = join(context.globalStorageUri.fsPath, '..', '..');
    report = reportInstalled({ ...account, pause, deviceId, program: parts.program, userFolder, git: () => git });
    context.subscriptions.push(
      { dispose: () => clearInterval(timer) },
      watchCopies(() => git, salt, record),
      ...(git ? [watchCommits(git, record)] : []),
      report,
      window.onDidChangeActiveTextEditor(editorContext.update),
      extensions.onDidChange(status.refresh),
    );
    accountChanged();
  }

  async function tick() {
    await keepAlive(parts);
    status.refresh();
    void presence.remind();
    editorContext.update();
    // Only an attempt shows that a token has ended or that the server is reachable again.
    if (parts.log.entries().some(({ state }) => state === 'waiting')) parts.sender.kick();
  }

  const started = setTimeout(() => void start().catch(parts.onTrouble), 0);
  stop = async () => {
    clearTimeout(started);
    status.dispose();
    editorContext.dispose();
    parts.sender.stop();
    await Promise.all([presence.leave(), parts.windows.leave()]);
  };
}

/** Queued events stay in their file for the next window. */
export function deactivate(): Promise<void> | undefined {
  return stop?.();
}

/** Marks this window as alive, and takes over the queued events of windows that ended. */
async function keepAlive({ windows, queue, logEvents }: EditorParts): Promise<void> {
  await windows.live();
  await windows.adopt(async (events) => {
    await queue.add(events);
    logEvents(events, 'waiting');
  });
}
