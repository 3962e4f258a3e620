import {
  createAccessKey,
  createPersonalKey,
  exportAccessKeys,
  listAccessKeys,
  listPersonalKeys,
  revokeAccessKey,
  revokePersonalKey,
} from '@sightline/contract/identity/access-keys.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { createKey, createKeyOfMember, revokeKey, revokeKeyOfMember } from './commands.ts';
import { accessKeyCsvColumns } from './csv-columns.ts';
import { listKeys, listKeysOfMember } from './queries.ts';

export function accessKeyRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listAccessKeys, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listKeys(tx, actor.orgId, query)),
  );
  exportRoute(app, services, [listAccessKeys, exportAccessKeys], { name: 'Access keys', columns: accessKeyCsvColumns });
  route(app, services, createAccessKey, ({ actor, body }) => createKey(services, actor, body));
  route(app, services, revokeAccessKey, ({ actor, params }) => revokeKey(services, actor, params.accessKeyId));
  route(app, services, listPersonalKeys, ({ actor }) =>
    withOrg(actor.orgId, (tx) => listKeysOfMember(tx, actor.orgId, actor.accountId)),
  );
  route(app, services, createPersonalKey, ({ actor, body }) => createKeyOfMember(services, actor, body));
  route(app, services, revokePersonalKey, ({ actor, params }) =>
    revokeKeyOfMember(services, actor, params.accessKeyId),
  );
}
