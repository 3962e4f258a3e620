import { homedir } from 'node:os';
import { paths, type SendRequest } from '@sightline/telemetry/api.ts';
import type { ExtensionSignInSession } from '@sightline/telemetry/session.ts';
import { type Disposable, type Extension, version as editorVersion, extensions, workspace } from 'vscode';
import { agentMcpServers } from './agent-mcp-servers.ts';
import { type Git, remoteOfRepository } from './git.ts';
import { configuredMcpServers } from './mcp-servers.ts';
import type { PauseFile } from './pause-file.ts';
import { settings } from './settings.ts';

const afterStartMs = 5000;
const afterChangeMs = 5000;
const againMs = 24 * 60 * 60_000;
const afterFailureMs = 5 * 60_000;
const mostTools = 1000;
const mostRepositories = 50;

export interface InstallReportOptions {
  callApi: SendRequest;
  session: ExtensionSignInSession;
  pause: PauseFile;
  deviceId: string;
  program: string;
  /** The folder of the user's settings. */
  userFolder: string;
  git: () => Git | undefined;
}

export interface InstallReport extends Disposable {
  /** Reports soon, after a sign-in or the end of a pause. */
  soon: () => void;
}

/** Reports the installed extensions: soon after the start, after changes, and once a day. */
export function reportInstalled(reporting: InstallReportOptions): InstallReport {
  let timer: NodeJS.Timeout | undefined;
  const plan = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void report(reporting).then((done) => plan(done ? againMs : afterFailureMs)), ms);
  };
  plan(afterStartMs);
  const changes = extensions.onDidChange(() => plan(afterChangeMs));
  return {
    soon: () => plan(1000),
    dispose: () => {
      clearTimeout(timer);
      changes.dispose();
    },
  };
}

/** Returns whether no retry is needed. While paused or signed out there is nothing to report. */
async function report({
  callApi,
  session,
  pause,
  deviceId,
  program,
  userFolder,
  git,
}: InstallReportOptions): Promise<boolean> {
  if ((await pause.read()) || !(await session.isActive())) return true;
  const mcpServers = await configuredMcpServers({
    userFolder,
    program,
    setting: workspace.getConfiguration('mcp').get('servers'),
  });
  const agents = await agentMcpServers({
    isAllowed: settings.reportsAgentSettings(),
    home: homedir(),
    environment: process.env,
    excludes: settings.excludes,
  });
  const body = {
    deviceId,
    type: program,
    version: editorVersion.slice(0, 40),
    tools: extensions.all.filter(isInstalled).slice(0, mostTools).map(toolOf),
    ...(mcpServers && { mcpServers }),
    ...(agents && { agentMcpServers: agents }),
    repositories: remotesOf(git()),
  };
  let token = await session.accessToken();
  if (token.kind !== 'token') return token.kind === 'signed-out';
  let reply = await callApi('PUT', paths.tools, { token: token.token, body });
  if (reply.status === 401) {
    token = await session.accessToken(token.token);
    if (token.kind !== 'token') return token.kind === 'signed-out';
    reply = await callApi('PUT', paths.tools, { token: token.token, body });
  }
  // A rejected report would be rejected again, so the next daily report is sufficient.
  return reply.status >= 200 && reply.status < 500 && reply.status !== 429;
}

const isInstalled = ({ packageJSON }: Extension<unknown>) => packageJSON?.isBuiltin !== true;

const toolOf = ({ id, packageJSON }: Extension<unknown>) => ({
  id: id.toLowerCase().slice(0, 200),
  name: textOf(packageJSON?.displayName, 200),
  version: textOf(packageJSON?.version, 80),
});

const textOf = (value: unknown, maxLength: number) =>
  typeof value === 'string' ? value.replaceAll('\0', '').slice(0, maxLength).toWellFormed() : '';

function remotesOf(git: Git | undefined): string[] {
  const remotes = (git?.repositories ?? [])
    .filter(({ rootUri }) => !settings.excludes(rootUri.fsPath))
    .map((repository) => remoteOfRepository(repository));
  return [...new Set(remotes)].filter((remote) => remote !== undefined).slice(0, mostRepositories);
}
