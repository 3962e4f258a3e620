import { editorContext, extensionSession } from '@sightline/contract/tools/presence.ts';
import { activityRequest, historyRequest } from '@sightline/contract/tools/presence-history.ts';
import { extensionGrantOf, requireMemberActor } from '#core/actor.ts';
import type { Services } from '#core/services.ts';
import { type SocketCaller, type SocketEnding, socketOperation } from '#core/sockets.ts';
import type { ExtensionSessionKey } from './commands.ts';
import { openEditorContext } from './editor.ts';
import { getActivity, type HistorySubject, listActivityHistory } from './history.ts';
import type { Presence } from './live.ts';

/** Serves the sockets of extensions: records their presence and answers requests about members and repositories. */
export function serveExtensionSockets(services: Services, presence: Presence): void {
  const { realtime, log } = services;
  const onError = (error: unknown) => log.warn({ err: error }, 'socket');
  const operationsFor = (about: HistorySubject) => ({
    askActivity: socketOperation(activityRequest, (caller, request) =>
      getActivity(services, { statuses: presence.statuses, caller, about, request }),
    ),
    askHistory: socketOperation(historyRequest, (caller, request) =>
      listActivityHistory(services, { statuses: presence.statuses, caller, about, request }),
    ),
  });
  realtime.serve('/user', { operations: operationsFor('user'), onError });
  realtime.serve('/project', { operations: operationsFor('project'), onError });

  const endHandlers = new Map<string, (gone: boolean) => Promise<void>>();
  realtime.serve('/ide/context', {
    onError,
    async arrive(caller) {
      const sessionKey = sessionKeyOf(caller);
      if (sessionKey) endHandlers.set(caller.id, await presence.arrive(sessionKey));
    },
    async leave(caller, how) {
      const end = endHandlers.get(caller.id);
      endHandlers.delete(caller.id);
      // When a node stops, its rows expire on their own: the extension reconnects before that, here or to another node.
      if (how !== 'stopping') await end?.(await isFinalEnd(services, caller, how));
    },
    operations: {
      context: socketOperation(editorContext, async (caller, given) => {
        const { id, address, claims } = caller;
        const actor = await requireMemberActor(services.memberships, {
          claims,
          request: { id, ip: address },
          permission: 'read:events',
        });
        const opened = await openEditorContext(services, actor, given);
        const sessionKey = sessionKeyOf(caller);
        // The branch of a repository that is not enabled is private too.
        const open = { repositoryId: opened.repository?.id ?? null, branch: opened.repository ? given.branch : null };
        if (sessionKey) await presence.open(sessionKey, open);
        return (await services.flags.isOn('release2', actor)) ? opened : { ...opened, contextId: null };
      }),
    },
  });
}

/** Undefined for a socket without a session: it may send requests, but does not count as connected. */
function sessionKeyOf({ claims, auth }: SocketCaller): ExtensionSessionKey | undefined {
  const session = extensionSession.safeParse(auth.session);
  if (!session.success || claims.orgId === undefined) return undefined;
  return { orgId: claims.orgId, accountId: claims.accountId, grantId: extensionGrantOf(claims), session: session.data };
}

/** Whether no reconnection is expected: the window closed, or the account no longer has access. */
async function isFinalEnd(services: Services, { claims }: SocketCaller, how: SocketEnding): Promise<boolean> {
  if (how !== 'cut') return how === 'left';
  const { orgId, accountId, sessionId } = claims;
  if (sessionId !== undefined && (await services.endedSessions.has(sessionId))) return true;
  return orgId === undefined || (await services.memberships.find(orgId, accountId)) === undefined;
}
