import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { Config } from '#config.ts';
import { ATTEMPT_LIMITS, countAttempts, networkOf } from '#core/attempts.ts';
import { TooManyAttempts } from '#core/errors.ts';
import { pageSecurity } from '#core/pages/security.ts';
import type { Services } from '#core/services.ts';

const prefix = '/oidc';
const registrationPath = '/reg';

/** Routes everything below /oidc that none of our own pages handles to the identity provider. */
export function mountProvider(app: FastifyInstance, currentProvider: () => Provider, services: Services): void {
  const { config } = services;
  const handlers = new WeakMap<Provider, ReturnType<Provider['callback']>>();
  const handlerOf = (provider: Provider) => {
    const handler = handlers.get(provider) ?? provider.callback();
    handlers.set(provider, handler);
    return handler;
  };
  app.register(async (scope) => {
    // The provider reads bodies itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const serve = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
      if (path === registrationPath && request.method === 'POST') await countRegistration(services, request);
      reply.hijack();
      const { raw } = request;
      for (const [name, value] of Object.entries(headersFor(path, config))) reply.raw.setHeader(name, value);
      rewriteToPublicUrl(request, config.PUBLIC_URL);
      Object.assign(raw, { originalUrl: `${prefix}${path}`, url: path });
      await handlerOf(currentProvider())(raw, reply.raw);
    };
    scope.all(`${prefix}/*`, (request, reply) => serve(request, reply, (request.raw.url ?? '').slice(prefix.length)));
    // RFC 8414, section 3.1: the path of the issuer follows the name of the document.
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      scope.get(`/.well-known/${name}${prefix}`, (request, reply) => serve(request, reply, `/.well-known/${name}`));
    }
  });
}

/** Counts the registration of a client by its network, since it stores a row for anyone. Throws 429. */
async function countRegistration({ database }: Services, { ip }: FastifyRequest): Promise<void> {
  const wait = await database.global((tx) =>
    countAttempts(tx, [[ATTEMPT_LIMITS.mcpRegistrationByNetwork, networkOf(ip)]]),
  );
  if (wait > 0) throw TooManyAttempts(wait);
}

/** Rewrites a raw request to the public URL, regardless of headers from the client or a proxy. */
export function rewriteToPublicUrl({ raw, ip }: FastifyRequest, publicUrl: string): void {
  const { protocol, host } = new URL(publicUrl);
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  raw.headers['x-forwarded-host'] = host;
  raw.headers['x-forwarded-for'] = ip;
}

function headersFor(path: string, config: Config): Record<string, string> {
  const silent = /^\/authorize\?(.*&)?prompt=none(&|$)/.test(path);
  const headers = pageSecurity(config, { frames: silent ? 'self' : 'none', script: path.startsWith('/session/end') });
  // Tokens in the storage of the app end with the session. The provider clears its own cookies.
  return path.startsWith('/session/end/confirm') ? { ...headers, 'clear-site-data': '"storage"' } : headers;
}
