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
  const withActor = <Input, Answer>(answer: (actor: Actor, input: Input) => Promise<Answer>) => {
    return async (caller: SocketCaller, input: Input) => answer(await actorOf(services, caller), input);
  };
  realtime.serve('/notifications', {
    onError: (error) => log.warn({ err: error }, 'socket'),
    operations: {
      list: socketOperation(
        listOperation,
        withActor((actor, input) => database.withOrg(actor.orgId, (tx) => listNotifications(tx, actor, input))),
      ),
      countUnread: socketOperation(
        z.strictObject({}).prefault({}),
        withActor((actor) =>
          database.withOrg(actor.orgId, async (tx) => ({ count: await countUnread(tx, actor.orgId, actor.accountId) })),
        ),
      ),
      changeStatus: socketOperation(
        changeStatusOperation,
        withActor((actor, input) => {
          if (actor.archived) throw Archived();
          return changeStatus(services, actor, input);
        }),
      ),
      search: socketOperation(
        searchOperation,
        withActor((actor, input) => database.withOrg(actor.orgId, (tx) => searchNotifications(tx, actor, input))),
      ),
    },
  });
}

/** Requires membership and the enabled feature, like an endpoint of the API. */
async function actorOf({ memberships, flags }: Services, { id, address, claims }: SocketCaller): Promise<Actor> {
  const actor = await requireMemberActor(memberships, { claims, request: { id, ip: address }, permission: 'read:org' });
  if (!(await flags.isOn('notificationSystem', actor))) throw NotFound();
  return actor;
}
