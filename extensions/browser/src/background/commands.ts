import { isEventOf } from '@sightline/telemetry/events.ts';
import { isPaused, pauseFor } from '@sightline/telemetry/pause.ts';
import type { ExtensionState, PopupCommand } from '../messages.ts';
import { localState, sessionState } from '../storage.ts';
import { sendHeartbeat } from './presence.ts';
import { recordEvent } from './recording.ts';
import type { Services } from './services.ts';
import { beginSignIn, signOut } from './signing-in.ts';
import { addSite, registerClipboardScript, removeSite, resetSites, siteRows } from './sites.ts';

/** Executes a command of an extension page and returns the new state. */
export async function executeCommand(services: Services, command: PopupCommand): Promise<ExtensionState> {
  await runCommand(services, command);
  return stateOf(services);
}

async function runCommand(services: Services, command: PopupCommand): Promise<void> {
  switch (command.ask) {
    case 'server':
      if (command.server === services.server()) return;
      await signOut(services);
      return services.changeServer(command.server);
    case 'sign-in':
      return beginSignIn(services);
    case 'sign-out':
      return signOut(services);
    case 'pause':
      await recordEvent(services, 'other', { identifiers: { what: 'paused' } });
      await localState.set('pause', command.forMs === null ? { until: null } : pauseFor(command.forMs, Date.now()));
      return reportPresence(services);
    case 'resume':
      await localState.set('pause', null);
      await recordEvent(services, 'other', { identifiers: { what: 'resumed' } });
      return reportPresence(services);
    case 'add-site':
      await addSite(command.host);
      return rewatch(services);
    case 'remove-site':
      await removeSite(command.host);
      return rewatch(services);
    case 'reset-sites':
      await resetSites();
      return rewatch(services);
    case 'send-now':
      await services.sender.flush();
  }
}

// Limits the wait for an unreachable server. The next heartbeat repeats the report.
const reportPresence = async (services: Services): Promise<void> => {
  await Promise.race([
    sendHeartbeat(services).catch(() => undefined),
    new Promise<void>((resolve) => setTimeout(resolve, disconnectTimeoutMs)),
  ]);
};
const disconnectTimeoutMs = 1500;

const rewatch = async ({ session }: Services) => registerClipboardScript((await session.owner()) !== null);

async function stateOf(services: Services): Promise<ExtensionState> {
  const { version, server, session, log } = services;
  const saved = await session.current();
  const pause = (await localState.get('pause')) ?? null;
  return {
    version,
    server: server() || null,
    signIn: await signInOf(saved),
    account: saved && { name: saved.account.name, email: saved.account.email },
    organization: saved?.organization.displayName ?? null,
    pause: isPaused(pause, Date.now()) ? pause : null,
    waiting: await waitingFor(services),
    problem: (await sessionState.get('problem')) ?? '',
    sites: await siteRows(),
    sitesAreDefault: (await localState.get('sites')) === undefined,
    log: log.entries(),
  };
}

// Queued events of other accounts are not counted. They remain until their owner returns.
async function waitingFor({ session, queue }: Services): Promise<number> {
  const owner = await session.owner();
  if (!owner) return queue.size();
  return (await queue.peek(Number.POSITIVE_INFINITY, (event) => isEventOf(event, owner))).length;
}

async function signInOf(saved: { ended?: boolean } | null): Promise<ExtensionState['signIn']> {
  if (saved && !saved.ended) return 'signed-in';
  if (await sessionState.get('pending')) return 'pending';
  return saved ? 'ended' : 'signed-out';
}
