import { changeStatusOperation, listOperation, searchOperation } from '@sightline/contract/delivery/notifications.ts';
import { z } from 'zod';
import { type Actor, requireMemberActor } from '#core/actor.ts';
import { Archived, NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { type SocketCaller, socketOperation } from '#core/sockets.ts';
import { changeStatus, countUnread } from './commands.ts';
import { listNotifications, searchNotifications } from './queries.ts';

/** The operations of the namespace `/notifications` (spec 7); the API answers the same. */
export function serveSockets(services: Services): void {
  const { database, realtime, log } = services;
  const asking = <Given, Answer>(answer: (actor: Actor, given: Given) => Promise<Answer>) => {
    return async (caller: SocketCaller, given: Given) => answer(await actorOf(services, caller), given);
  };
  realtime.serve('/notifications', {
    onError: (error) => log.warn({ err: error }, 'socket'),
    operations: {
      list: socketOperation(
        listOperation,
        asking((actor, given) => database.withOrg(actor.orgId, (tx) => listNotifications(tx, actor, given))),
      ),
      countUnread: socketOperation(
        z.strictObject({}).prefault({}),
        asking((actor) =>
          database.withOrg(actor.orgId, async (tx) => ({ count: await countUnread(tx, actor.orgId, actor.accountId) })),
        ),
      ),
      changeStatus: socketOperation(
        changeStatusOperation,
        asking((actor, given) => {
          if (actor.archived) throw Archived();
          return changeStatus(services, actor, given);
        }),
      ),
      search: socketOperation(
        searchOperation,
        asking((actor, given) => database.withOrg(actor.orgId, (tx) => searchNotifications(tx, actor, given))),
      ),
    },
  });
}

/** As a call of the API: a member, and the feature is on. */
async function actorOf({ memberships, flags }: Services, { id, address, claims }: SocketCaller): Promise<Actor> {
  const actor = await requireMemberActor(memberships, { claims, request: { id, ip: address }, permission: 'read:org' });
  if (!(await flags.isOn('notificationSystem', actor))) throw NotFound();
  return actor;
}
