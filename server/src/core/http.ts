import { randomUUID } from 'node:crypto';
import type { ErrorBody, ErrorCode } from '@sightline/contract/core/errors.ts';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Config } from '#config.ts';
import { movedToOf } from '#database/database.ts';
import { trustProxyOption } from './client-address.ts';
import { usesSecureCookies } from './cookies.ts';
import { OrganizationMoved, Refusal } from './errors.ts';
import { createHostCheck } from './hosts.ts';
import { permissionsPolicy } from './permissions-policy.ts';
import { createRepositoryPaths } from './repository-paths.ts';
import { keepRequestIds } from './request-context.ts';
import { limitHeaders } from './request-limits.ts';
import { createRequestLog } from './request-log.ts';

const bodyLimit = 1024 * 1024;
export const healthPath = /^\/(api\/health|metrics)([/?]|$)/;

/** Creates the HTTP server without routes: logging with secrets removed, one error handler, the security headers. */
export function createHttp(config: Config, log: FastifyBaseLogger): FastifyInstance {
  const { TRUST_PROXY: proxies } = config;
  const repositoryPaths = createRepositoryPaths();
  const secure = createSecureHeaders(config);
  const app = Fastify({
    bodyLimit,
    trustProxy: trustProxyOption(proxies),
    genReqId: () => randomUUID(),
    requestTimeout: 60_000,
    routerOptions: { maxParamLength: 1000, caseSensitive: true },
    rewriteUrl: (request) => repositoryPaths.encode(request.url ?? '/'),
    logController: new LogController({ disableRequestLogging: true }),
    loggerInstance: log,
    childLoggerFactory: (parent, bindings, options) => createRequestLog(() => parent.child(bindings, options)),
    // Errors of the router itself: an invalid path or a parameter that is too long.
    frameworkErrors: (error, request, reply) => {
      secure(reply, request);
      sendErrorResponse(error, request, reply);
    },
  });
  app.addHook('onRoute', ({ url, config: { endpoint } = {} }) => repositoryPaths.add({ url, endpoint }));
  // Only JSON is accepted: a form of another site can send plain text without a preflight request.
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('actor', undefined);
  app.decorateRequest('limits');
  keepRequestIds(app);
  const isOwnHost = createHostCheck(config);
  app.addHook('onRequest', (request, _reply, done) => {
    request.limits = [];
    const { raw, url } = request;
    // Load balancers address the server by IP address.
    if (isOwnHost(raw.headers.host) || healthPath.test(url)) done();
    else done(unknownHost());
  });
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    secure(reply, request);
    reply.headers(limitHeaders(request.limits ?? []));
    // A kept-alive connection of a running request would delay the shutdown by up to a minute.
    if (closing) reply.header('connection', 'close');
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => sendErrorResponse(error, request, reply));
  return app;
}

const unknownHost = () =>
  new Refusal('unknown_host', 'This server does not serve the host name of the request.', {
    cause: 'The operator can add the name to ALLOWED_HOSTS, or set PUBLIC_URL to the address that people use.',
  });

/** Sets the security headers of a response. Their values are computed once and not for each response. */
function createSecureHeaders(config: Config): (reply: FastifyReply, request: FastifyRequest) => void {
  const connect = config.PUBLIC_URL.replace(/^http/, 'ws');
  const issuer = config.direct === undefined ? '' : ` ${new URL(config.direct.issuer).origin}`;
  const headers = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': permissionsPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(usesSecureCookies(config) && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
    ...(!config.production && { 'x-robots-tag': 'noindex' }),
  };
  const policy = `default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; connect-src 'self' ${connect}${issuer}; require-trusted-types-for 'script'; trusted-types default sightline-docs`;
  return (reply, request) => {
    reply.headers(headers);
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', policy);
    if (request.url.startsWith('/api') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  };
}

/** Converts any error to the error body. Details not meant for the caller are only logged. */
export function sendErrorResponse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error, request);
  const { limit } = refusal;
  if (limit && !request.limits?.some(({ name }) => name === limit.name)) request.limits?.push(limit);
  if (refusal.retryAfter !== undefined) reply.header('retry-after', refusal.retryAfter);
  const body: ErrorBody = { code: refusal.code, message: refusal.message, requestId: request.id, ...refusal.extra };
  return reply.status(refusal.status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

const fastifyCodes: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The body is larger than 1 MB.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'Not found.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['validation_failed', 'The body is empty.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['validation_failed', 'The body is not valid JSON.'],
};

function refusalOf(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  const movedTo = movedToOf(error);
  if (movedTo !== undefined) return OrganizationMoved(movedTo);
  const { code = '', statusCode = 500 } = error as { code?: string; statusCode?: number };
  const { upload } = request.routeOptions?.config?.endpoint ?? {};
  if (upload && code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Refusal('unsupported_media_type', `Send the file with the content type ${upload.types[0]}.`);
  }
  const known = fastifyCodes[code];
  if (known) return new Refusal(known[0], known[1], known[0] === 'validation_failed' ? inField('body', known[1]) : {});
  if (statusCode === 429) return new Refusal('rate_limited', 'Too many requests. Wait a moment and try again.');
  if (statusCode >= 400 && statusCode < 500) {
    const cause = (error as Error).message;
    return new Refusal('validation_failed', 'The request is not readable.', { cause, ...inField('request', cause) });
  }
  request.log.error({ err: error, url: request.url.split('?')[0] }, 'request failed');
  if (isTransient(code, (error as Error).message))
    return new Refusal('unavailable', 'The database is not available.', {}, { retryAfter: 2 });
  return new Refusal('internal', 'Something went wrong on our side. The error was logged and someone will fix it.');
}

const inField = (field: string, message: string) => ({ details: [{ field, message }] });

// PostgreSQL: connection lost, shutting down, too many connections, serialization, deadlock, lock or statement timeout.
const transient = /^(08...|57P0.|53...|40001|40P01|55P03|57014|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/;
// Messages of the PostgreSQL client without an error code: no free connection, connection timeout, lost connection, no
// response.
const lostConnection = /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout)/;
const isTransient = (code: string, message: string) => transient.test(code) || lostConnection.test(message);
