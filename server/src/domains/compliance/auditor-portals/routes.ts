import {
  answerRoomRequest,
  askInRoom,
  enterRoom,
  getEnteredRoom,
  getRoom,
  getRoomBundle,
  getRoomChange,
  getRoomControl,
  getRoomDoor,
  getRoomSample,
  getRoomSnapshot,
  listRooms as listCall,
  listOwnRoomRequests,
  listRoomRows,
  openRoom as openCall,
  revokeRoom as revokeCall,
} from '@sightline/contract/compliance/auditor-portals.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { answerRequest, openRoom, revokeRoom } from './commands.ts';
import { findRoom, listRequests, listRooms } from './queries.ts';
import { seeChange, seeControl, seeDoor, seeRoom, seeRows, seeSample, seeSnapshot, takeBundle } from './views.ts';
import { ask, enter, noteView } from './visits.ts';

/** For members of the organization. */
export function roomRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listCall, ({ actor, query }) => withOrg(actor.orgId, (tx) => listRooms(tx, actor.orgId, query)));
  route(app, services, openCall, ({ actor, body }) => openRoom(services, actor, body));
  route(app, services, getRoom, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findRoom(tx, actor.orgId, params.roomId)),
  );
  route(app, services, revokeCall, ({ actor, params }) => revokeRoom(services, actor, params.roomId));
  route(app, services, answerRoomRequest, ({ actor, params, body }) =>
    answerRequest(services, actor, { ...params, ...body }),
  );
  auditorRoutes(app, services);
}

/** For whoever came by a link. */
function auditorRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, enterRoom, ({ caller, body }) => enter(services, caller, body.token));
  route(app, services, getEnteredRoom, ({ actor }) => seeRoom(services, actor));
  route(app, services, getRoomDoor, ({ actor }) => seeDoor(services, actor));
  route(app, services, getRoomSnapshot, ({ actor, params }) => seeSnapshot(services, actor, params.snapshotId));
  route(app, services, getRoomControl, ({ actor, params }) => seeControl(services, actor, params));
  route(app, services, listRoomRows, ({ actor, params, query }) => seeRows(services, actor, params, query));
  route(app, services, getRoomSample, ({ actor, params, query }) => seeSample(services, actor, params, query));
  route(app, services, getRoomChange, ({ actor, params }) => seeChange(services, actor, params));
  route(app, services, getRoomBundle, ({ actor, params }) => takeBundle(services, actor, params.snapshotId));
  route(app, services, listOwnRoomRequests, ({ actor }) =>
    withOrg(actor.orgId, async (tx) => {
      await noteView(services, tx, actor, 'room.viewed', { view: 'requests and answers' });
      return listRequests(tx, actor.orgId, actor.room.id);
    }),
  );
  route(app, services, askInRoom, ({ actor, body }) => ask(services, actor, body));
}
