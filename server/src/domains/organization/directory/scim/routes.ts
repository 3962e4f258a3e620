import { scimPath } from '@sightline/contract/organization/directory.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendErrorResponse } from '#core/http.ts';
import type { Services } from '#core/services.ts';
import { createGroup, deleteGroup, patchGroupOf, replaceGroup } from '../groups.ts';
import { createUser, deleteUser, patchUserOf, replaceUser } from '../users.ts';
import { authenticateDirectory, type ScimActor } from './actor.ts';
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.ts';
import { ScimError, scimErrorBody } from './errors.ts';
import { recordDirectoryFailure } from './failures.ts';
import { parseGroup } from './group-model.ts';
import { asRecord, parsePatch } from './patch.ts';
import {
  baseUrlOf,
  findResource,
  groupKind,
  listResources,
  parseListQuery,
  parseShape,
  type ScimResource,
  userKind,
} from './resources.ts';
import { parseUser } from './user-model.ts';

const SCIM_TYPE = 'application/scim+json; charset=utf-8';
const MAX_BODY_BYTES = 2 * 1024 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    scimActor: ScimActor | undefined;
  }
}

/**
 * Serves SCIM 2.0 (RFC 7643, RFC 7644) to directories. Not endpoints of the contract: the protocol defines paths, bodies
 * and responses.
 */
export async function scimRoutes(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        ['application/scim+json', 'application/json'],
        { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
        scope.getDefaultJsonParser('error', 'error'),
      );
      scope.decorateRequest('scimActor', undefined);
      scope.addHook('onRequest', async (request) => {
        request.scimActor = await authenticateDirectory(services, request);
      });
      scope.setErrorHandler((error, request, reply) => sendScimError(services, error, request, reply));
      discoveryRoutes(scope, services);
      resourceRoutes(scope, services, users);
      resourceRoutes(scope, services, groups);
      for (const path of ['/Bulk', '/Me', '/.search']) {
        scope.all(path, async () => {
          throw new ScimError(501, `This service does not support ${path}.`);
        });
      }
    },
    { prefix: scimPath },
  );
}

function sendScimError(services: Services, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = scimErrorBody(error);
  const { scimActor: actor } = request;
  if (actor) recordDirectoryFailure(services, actor.orgId, known);
  // Logs the error, and answers in the same form.
  if (!known) {
    sendErrorResponse(error, request, reply);
    return reply;
  }
  if (known.status === 401) reply.header('www-authenticate', 'Bearer');
  const { retryAfter } = error as { retryAfter?: number };
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  return reply.status(known.status).type(SCIM_TYPE).send(JSON.stringify(known.body));
}

function discoveryRoutes(scope: FastifyInstance, services: Services): void {
  const base = baseUrlOf(services);
  const send = (reply: FastifyReply, body: object) => reply.type(SCIM_TYPE).send(JSON.stringify(body));
  scope.get('/ServiceProviderConfig', async (_request, reply) => send(reply, serviceProviderConfig(base)));
  for (const [path, list] of [
    ['/ResourceTypes', resourceTypes(base)],
    ['/Schemas', schemas(base)],
  ] as const) {
    scope.get(path, async ({ query }, reply) => {
      if ((query as { filter?: unknown }).filter !== undefined)
        throw new ScimError(403, 'These documents cannot be filtered.');
      return send(reply, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: list.length,
        startIndex: 1,
        itemsPerPage: list.length,
        Resources: list,
      });
    });
    scope.get(`${path}/:id`, async ({ params }, reply) => {
      const { id } = params as { id: string };
      const found = list.find((one) => one.id === id);
      if (!found) throw new ScimError(404, `Resource ${id.slice(0, 200)} not found.`);
      return send(reply, found);
    });
  }
}

interface ResourceHandlers {
  kind: typeof userKind;
  create: (services: Services, orgId: string, body: unknown) => Promise<string>;
  replace: (services: Services, orgId: string, id: string, body: unknown) => Promise<void>;
  patch: (services: Services, orgId: string, id: string, body: unknown) => Promise<void>;
  remove: (services: Services, orgId: string, id: string) => Promise<void>;
}

const users: ResourceHandlers = {
  kind: userKind,
  create: (services, orgId, body) => createUser(services, orgId, parseUser(body)),
  replace: (services, orgId, id, body) => replaceUser(services, orgId, id, parseUser(body)),
  patch: (services, orgId, id, body) => patchUserOf(services, orgId, id, parsePatch(body)),
  remove: deleteUser,
};

const groups: ResourceHandlers = {
  kind: groupKind,
  create: (services, orgId, body) => createGroup(services, orgId, parseGroup(body)),
  replace: (services, orgId, id, body) => replaceGroup(services, orgId, id, parseGroup(body)),
  patch: (services, orgId, id, body) => patchGroupOf(services, orgId, id, parsePatch(body)),
  remove: deleteGroup,
};

function resourceRoutes(scope: FastifyInstance, services: Services, handlers: ResourceHandlers): void {
  const { kind, create, replace, patch, remove } = handlers;
  const base = baseUrlOf(services);
  const { withOrg } = services.database;
  const send = (reply: FastifyReply, body: object) => reply.type(SCIM_TYPE).send(JSON.stringify(body));
  const orgOf = ({ scimActor }: FastifyRequest): string => {
    if (!scimActor) throw new Error('The request was not authenticated.');
    return scimActor.orgId;
  };
  const find = (request: FastifyRequest, id: string): Promise<ScimResource> =>
    withOrg(orgOf(request), (tx) =>
      findResource(tx, orgOf(request), kind, { id, base, shape: parseShape(request.query as Record<string, unknown>) }),
    );
  const list = (request: FastifyRequest, given: Record<string, unknown>) =>
    withOrg(orgOf(request), (tx) => listResources(tx, orgOf(request), kind, { query: parseListQuery(given), base }));
  const idOf = ({ params }: FastifyRequest): string => {
    const { id } = params as { id: string };
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw new ScimError(404, 'Resource not found.');
    return id.toLowerCase();
  };
  scope.get(`/${kind.endpoint}`, async (request, reply) =>
    send(reply, await list(request, request.query as Record<string, unknown>)),
  );
  scope.post(`/${kind.endpoint}/.search`, async (request, reply) =>
    send(reply, await list(request, asRecord(request.body, 'The body'))),
  );
  scope.post(`/${kind.endpoint}`, async (request, reply) => {
    const id = await create(services, orgOf(request), request.body);
    reply.header('location', `${base}/${kind.endpoint}/${id}`);
    return send(reply.status(201), await find(request, id));
  });
  scope.get(`/${kind.endpoint}/:id`, async (request, reply) => send(reply, await find(request, idOf(request))));
  for (const [method, change] of [
    ['put', replace],
    ['patch', patch],
  ] as const) {
    scope[method](`/${kind.endpoint}/:id`, async (request, reply) => {
      const id = idOf(request);
      await change(services, orgOf(request), id, request.body);
      return send(reply, await find(request, id));
    });
  }
  scope.delete(`/${kind.endpoint}/:id`, async (request, reply) => {
    await remove(services, orgOf(request), idOf(request));
    return reply.status(204).send();
  });
}
