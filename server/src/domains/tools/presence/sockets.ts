import { editorContext, extensionSession } from '@sightline/contract/tools/presence.ts';
import { askActivity, askHistory } from '@sightline/contract/tools/presence-history.ts';
import { grantOf, memberActor } from '#core/actor.ts';
import type { Services } from '#core/services.ts';
import { type Ending, operation, type SocketCaller } from '#core/sockets.ts';
import type { ExtensionSessionKey } from './commands.ts';
import { openedContext } from './editor.ts';
import { type About, activityOf, historyOf } from './history.ts';
import type { Presence } from './live.ts';

/** Makes the sockets of extensions count, and answers what sockets ask about people and repositories. */
export function serveSockets(services: Services, presence: Presence): void {
  const { realtime, log } = services;
  const onError = (error: unknown) => log.warn({ err: error }, 'socket');
  const asks = (about: About) => ({
    askActivity: operation(askActivity, (caller, request) =>
      activityOf(services, { statuses: presence.statuses, caller, about, request }),
    ),
    askHistory: operation(askHistory, (caller, request) =>
      historyOf(services, { statuses: presence.statuses, caller, about, request }),
    ),
  });
  realtime.serve('/user', { operations: asks('user'), onError });
  realtime.serve('/project', { operations: asks('project'), onError });

  const leaving = new Map<string, (gone: boolean) => Promise<void>>();
  realtime.serve('/ide/context', {
    onError,
    async arrive(caller) {
      const place = placeOf(caller);
      if (place) leaving.set(caller.id, await presence.arrive(place));
    },
    async leave(caller, how) {
      const leave = leaving.get(caller.id);
      leaving.delete(caller.id);
      // A node that stops leaves the row to run out: the extension is back, here or elsewhere, before that.
      if (how !== 'stopping') await leave?.(await isGone(services, caller, how));
    },
    operations: {
      context: operation(editorContext, async (caller, given) => {
        const { id, address, claims } = caller;
        const actor = await memberActor(services.memberships, {
          claims,
          request: { id, ip: address },
          permission: 'read:events',
        });
        const opened = await openedContext(services, actor, given);
        const place = placeOf(caller);
        // Of a repository that is not enabled here, its branch is nobody's affair either.
        const open = { repositoryId: opened.repository?.id ?? null, branch: opened.repository ? given.branch : null };
        if (place) await presence.open(place, open);
        return (await services.flags.isOn('release2', actor)) ? opened : { ...opened, contextId: null };
      }),
    },
  });
}

/** Undefined for a socket that speaks for no window: it may ask, but nobody is connected by it. */
function placeOf({ claims, auth }: SocketCaller): ExtensionSessionKey | undefined {
  const session = extensionSession.safeParse(auth.session);
  if (!session.success || claims.orgId === undefined) return undefined;
  return { orgId: claims.orgId, accountId: claims.accountId, grantId: grantOf(claims), session: session.data };
}

/** Whether nobody is to be expected back: the window closed, or whoever sat there may not come in again. */
async function isGone(services: Services, { claims }: SocketCaller, how: Ending): Promise<boolean> {
  if (how !== 'cut') return how === 'left';
  const { orgId, accountId, sessionId } = claims;
  if (sessionId !== undefined && (await services.endedSessions.has(sessionId))) return true;
  return orgId === undefined || (await services.memberships.find(orgId, accountId)) === undefined;
}
