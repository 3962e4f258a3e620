import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type CallOutput, type Endpoint, isChange, type Page } from '@sightline/contract/core/endpoint.ts';
import type { Flag } from '@sightline/contract/core/flags.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { authenticateAccessKey, isAccessKey, isKeyActor, type KeyActor } from './access-keys.ts';
import { type AccountActor, type Actor, requireAccountActor, requireMemberActor } from './actor.ts';
import { authenticatePortalVisitor, type PortalActor } from './auditor-portals.ts';
import { bearerTokenOf } from './bearer-token.ts';
import { countCost, limitConcurrentResponses } from './costs.ts';
import { Archived, NotFound, Refusal, TooLarge } from './errors.ts';
import type { Cost, RequestLimit } from './limits.ts';
import { countRequest } from './request-limits.ts';
import type { Services } from './services.ts';
import { checkStepUp } from './step-up.ts';
import type { Claims } from './tokens.ts';
import './wording.ts';

type Parsed<E, K extends PropertyKey> = E extends Record<K, infer S extends z.ZodType> ? z.output<S> : undefined;
type ActorOf<E extends Endpoint> = E['scope'] extends 'public'
  ? undefined
  : E['scope'] extends 'portal'
    ? PortalActor
    : E['scope'] extends 'account'
      ? AccountActor & { orgId: string | undefined }
      : E extends { accessKey: string }
        ? Actor | KeyActor
        : Actor;

export interface CallOf<E extends Endpoint> {
  actor: ActorOf<E>;
  /** The client of the request, signed in or not. */
  caller: { requestId: string; address: string };
  /** Counts points of this call against a limit. Throws 429 over the limit. */
  count: (limit: RequestLimit, subject: string, points: number) => Promise<void>;
  params: Parsed<E, 'params'>;
  query: Parsed<E, 'query'>;
  body: Parsed<E, 'body'>;
  /** The uploaded file as a stream. */
  file: E extends { upload: object } ? Readable : undefined;
}

/** A response that is already JSON: frequently used pages come from the database as text. Tests validate its schema. */
export interface RawJson {
  rawJson: string;
}

/** A response that sets a cookie. */
export interface CookieAnswer<Body> {
  setCookie: string;
  body: Body;
}

/**
 * A file that is streamed while it is created. A failure breaks the connection, so that a partial file is never
 * mistaken for a complete one.
 */
export interface FileAnswer {
  file: Readable;
  type: string;
  name: string;
  /** The number of lines, for progress indicators; undefined if counting would take too long. */
  total: number | undefined;
  /** How long a browser may cache the file; not cached by default. */
  keptSeconds?: number;
  /** For a stored file: it is sent with its size and ETag, or only the requested range. */
  whole?: WholeFile | undefined;
}

export interface WholeFile {
  size: number;
  /** A strong ETag: the bytes never change. */
  etag: string;
  /** Reads a byte range, both ends inclusive. */
  part: (from: number, to: number) => Readable;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    actor: Actor | KeyActor | PortalActor | (AccountActor & { orgId: string | undefined }) | undefined;
  }
}

type RouteAnswer<E extends Endpoint> = CallOutput<E> | RawJson | FileAnswer | CookieAnswer<CallOutput<E>>;

const nothing = z.strictObject({});

/**
 * Mounts one contract endpoint. Checks run in this order: token 401 (for a portal 404), permission 403, feature flag
 * 404, a change in an archived organization 409, input 400, recent sign-in 403. The handler receives only parsed
 * values.
 */
export function route<E extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  endpoint: E,
  handle: (call: CallOf<E>) => Promise<RouteAnswer<E>>,
): void {
  const { upload } = endpoint;
  if (upload) {
    // Uploads use a separate scope, since their body must not be read into memory.
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser([...upload.types], (_request, payload, done) => done(null, payload));
      mount(scope, services, endpoint, handle);
    });
  } else mount(app, services, endpoint, handle);
}

function mount<E extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  endpoint: E,
  handle: (call: CallOf<E>) => Promise<RouteAnswer<E>>,
): void {
  services.endpointHandlers.set(endpoint, handle);
  app.route({
    method: endpoint.method,
    url: `/api${endpoint.path}`,
    config: { endpoint },
    onRequest: async (request) => {
      request.actor = await actorOf(services, endpoint, request);
      await countCaller(services, request);
      await requireAvailable(services, endpoint, request.actor);
    },
    handler: async (request, reply) => {
      if (endpoint.cost) await startCost(services, endpoint.cost, request, reply);
      const file = endpoint.upload && (request.body instanceof Readable ? request.body : Readable.from([]));
      try {
        const call = {
          actor: request.actor,
          caller: { requestId: request.id, address: request.ip },
          count: (limit: RequestLimit, subject: string, points: number) =>
            countRequest(services, { request, limit, subject, points }),
          ...parsedInput(endpoint, request),
          file,
        } as CallOf<E>;
        const announced = Number(request.headers['content-length'] ?? 0);
        if (endpoint.upload && announced > endpoint.upload.maxBytes) throw TooLarge(endpoint.upload.maxBytes);
        // An endpoint with `stepUp` accepts only the token of an account or a member.
        if (endpoint.stepUp) await checkStepUp(services.database, endpoint, request.actor as AccountActor, call.body);
        return answer(endpoint, request, reply, await handle(call));
      } finally {
        // An unread upload is drained, since otherwise the client would not receive the refusal.
        file?.resume();
      }
    },
  });
}

/** The parts of a request that an endpoint parses. */
export interface EndpointInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

const parsedInput = (endpoint: Endpoint, { params, query, body }: EndpointInput) => ({
  params: parsed('', endpoint.params ?? nothing, params ?? {}),
  query: parsed('', endpoint.query ?? nothing, query ?? {}),
  body: endpoint.body ? parsed('', endpoint.body, body) : undefined,
});

/** Throws 404 if the flag of the endpoint is off, and 409 for a change in an archived organization. */
async function requireAvailable(services: Services, endpoint: Endpoint, actor: FastifyRequest['actor']): Promise<void> {
  if (endpoint.flag && !(await isOn(services, endpoint.flag, actor))) throw NotFound();
  if (isArchived(actor) && isChange(endpoint) && !endpoint.whileArchived) throw Archived();
}

/** Whether `callEndpoint` supports an endpoint: those of members, without upload, recent sign-in and cost. */
const isCallable = ({ scope, upload, stepUp, cost }: Endpoint): boolean =>
  scope === 'organization' && upload === undefined && stepUp === undefined && cost === undefined;

/**
 * Calls an endpoint in this process for a member who uses another protocol, with the checks of its route in the same
 * order: permission 403, feature flag 404, archived organization 409, input 400. The response is parsed by its schema; a
 * file is returned as text. The caller counts the request.
 */
export async function callEndpoint<E extends Endpoint>(
  services: Services,
  endpoint: E,
  { claims, request }: { claims: Claims; request: FastifyRequest },
  input: EndpointInput,
): Promise<CallOutput<E>> {
  const handle = services.endpointHandlers.get(endpoint) as ((call: CallOf<Endpoint>) => Promise<unknown>) | undefined;
  if (!handle || !isCallable(endpoint)) throw new Error(`${endpoint.path} cannot be called in this process.`);
  const { permission } = endpoint;
  const actor = await requireMemberActor(services.memberships, { claims, request, permission, isUse: true });
  await requireAvailable(services, endpoint, actor);
  const result = await handle({
    actor,
    caller: { requestId: request.id, address: request.ip },
    count: (limit, subject, points) => countRequest(services, { request, limit, subject, points }),
    ...parsedInput(endpoint, input),
    file: undefined,
  } as CallOf<Endpoint>);
  return (await outputOf(endpoint, result)) as CallOutput<E>;
}

async function outputOf(endpoint: Endpoint, result: unknown): Promise<unknown> {
  if (isCookie(result)) return outputOf(endpoint, result.body);
  if (isFile(result)) return text(result.file);
  const { response, paged } = endpoint;
  if (isRaw(result)) return response.parse(JSON.parse(result.rawJson));
  if (!paged) return response.parse(result);
  const { rows, total } = result as Page<unknown>;
  return { rows: response.parse(rows), total };
}

async function actorOf(
  services: Services,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<FastifyRequest['actor']> {
  if (endpoint.scope === 'public') return undefined;
  if (endpoint.scope === 'portal') return authenticatePortalVisitor(services, request);
  const token = bearerTokenOf(request);
  if (token !== undefined && endpoint.accessKey && isAccessKey(token))
    return authenticateAccessKey(services.database, { key: token, use: endpoint.accessKey }, request);
  const claims = token === undefined ? undefined : await claimsOf(services, endpoint, token);
  // An extension acts for a member, also on account endpoints.
  if (endpoint.scope === 'account' && !claims?.extension) {
    return { ...requireAccountActor(claims, request), orgId: claims?.orgId };
  }
  return requireMemberActor(services.memberships, {
    claims,
    request,
    permission: endpoint.permission,
    isUse: !endpoint.polled,
  });
}

/** Verifies a token. Tokens of extensions are valid only if the contract allows `extension`. */
const claimsOf = async (services: Services, endpoint: Endpoint, token: string): Promise<Claims | undefined> =>
  (await services.verifyToken(token)) ?? (endpoint.extension ? services.verifyExtensionToken(token) : undefined);

/** Counts a request against its account and organization. Portal visitors have the limits of the portal. */
async function countCaller(services: Services, request: FastifyRequest): Promise<void> {
  const { actor } = request;
  if (actor === undefined || 'portal' in actor) return;
  if ('accountId' in actor) await countRequest(services, { request, limit: 'account', subject: actor.accountId });
  if (actor.orgId !== undefined) await countRequest(services, { request, limit: 'organization', subject: actor.orgId });
}

async function startCost(services: Services, cost: Cost, { actor }: FastifyRequest, reply: FastifyReply) {
  if (actor?.orgId === undefined) return;
  const { orgId } = actor;
  limitConcurrentResponses(services, reply, cost, orgId);
  await services.database.withOrg(orgId, (tx) => countCost(services, tx, cost, orgId));
}

const isOn = ({ flags }: Services, flag: Flag, actor: FastifyRequest['actor']) =>
  flags.isOn(
    flag,
    actor && isKeyActor(actor)
      ? { accountId: actor.accessKey.id, orgId: actor.orgId, isKey: true }
      : actor && 'portal' in actor
        ? undefined
        : actor,
  );

const isArchived = (actor: FastifyRequest['actor']) => actor !== undefined && 'archived' in actor && actor.archived;

/** The maximum number of fields in one refusal. */
const maxDetails = 50;

/** Parses `value`. Throws 400 with every invalid field. */
function parsed<S extends z.ZodType>(prefix: string, schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.slice(0, maxDetails).flatMap((issue) => {
    const fieldOf = (...more: string[]) =>
      [prefix, ...issue.path.map(String), ...more].filter((part) => part !== '').join('.') || 'request';
    return issue.code === 'unrecognized_keys'
      ? issue.keys
          .slice(0, maxDetails)
          .map((key) => ({ field: fieldOf(key.slice(0, 200)), message: 'is not a known field' }))
      : [{ field: fieldOf(), message: issue.message }];
  });
  const [first] = details;
  throw new Refusal('validation_failed', first ? `${first.field}: ${first.message}` : 'The request is not valid', {
    details: details.slice(0, maxDetails),
  });
}

async function answer(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  result: unknown,
): Promise<FastifyReply> {
  if (isCookie(result)) return answer(endpoint, request, reply.header('set-cookie', result.setCookie), result.body);
  if (isFile(result)) return result.whole ? sendWhole(request, reply, result, result.whole) : sendFile(reply, result);
  reply.status(endpoint.status ?? 200).header('content-type', 'application/json; charset=utf-8');
  // Node.js writes a long string more slowly than its bytes: a page of events takes 12 % less CPU time.
  if (isRaw(result)) return reply.send(Buffer.from(result.rawJson));
  const { rows, total } = endpoint.paged ? (result as Page<unknown>) : { rows: result, total: undefined };
  if (total !== undefined) reply.headers({ 'x-total-count': total, link: links(request, total) });
  const body = JSON.stringify(endpoint.response.parse(rows));
  if (!endpoint.polled) return reply.send(body);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  return request.headers['if-none-match'] === etag ? reply.status(304).send() : reply.send(body);
}

const isCookie = (result: unknown): result is CookieAnswer<unknown> =>
  typeof result === 'object' && result !== null && 'setCookie' in result;

const isFile = (result: unknown): result is FileAnswer =>
  typeof result === 'object' && result !== null && 'file' in result && result.file instanceof Readable;

const sendFile = (reply: FastifyReply, { file, type, name, total, keptSeconds }: FileAnswer): FastifyReply =>
  reply
    .headers({
      'content-type': type.startsWith('image/') ? type : `${type}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}"`,
      ...(keptSeconds !== undefined && { 'cache-control': `private, max-age=${keptSeconds}` }),
      ...(total !== undefined && { 'x-total-count': total }),
    })
    .send(file);

/** Supports RFC 9110 ranges, one per request: a request for several ranges receives the whole file. */
function sendWhole(request: FastifyRequest, reply: FastifyReply, answer: FileAnswer, whole: WholeFile): FastifyReply {
  const { size, etag, part } = whole;
  answer.file.destroy();
  reply.headers({
    'content-type': answer.type,
    'content-disposition': `attachment; filename="${answer.name}"`,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    etag,
  });
  const { range, 'if-range': ifRange } = request.headers;
  if (request.headers['if-none-match'] === etag) return reply.status(304).send();
  const requested = ifRange === undefined || ifRange === etag ? rangeOf(range, size) : undefined;
  if (requested === 'none') return reply.status(416).header('content-range', `bytes */${size}`).send();
  if (!requested) return reply.header('content-length', size).send(part(0, size - 1));
  const { from, to } = requested;
  return reply
    .status(206)
    .headers({ 'content-range': `bytes ${from}-${to}/${size}`, 'content-length': to - from + 1 })
    .send(part(from, to));
}

function rangeOf(header: string | undefined, size: number): { from: number; to: number } | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < from) return undefined;
  return from >= size || from > to ? 'none' : { from, to };
}

const isRaw = (result: unknown): result is RawJson =>
  typeof result === 'object' && result !== null && 'rawJson' in result;

/** RFC 8288 links to the first, previous, next and last page of a list. */
function links(request: FastifyRequest, total: number): string {
  const [path = '', search = ''] = request.url.split('?');
  const given = new URLSearchParams(search);
  const page = Number(given.get('page') ?? 1);
  const last = Math.max(1, Math.ceil(total / Number(given.get('perPage') ?? 10)));
  const to = (target: number, rel: string) => {
    given.set('page', String(target));
    return `<${path}?${given}>; rel="${rel}"`;
  };
  return [
    to(1, 'first'),
    ...(page > 1 ? [to(Math.min(page - 1, last), 'prev')] : []),
    ...(page < last ? [to(page + 1, 'next')] : []),
    to(last, 'last'),
  ].join(', ');
}
