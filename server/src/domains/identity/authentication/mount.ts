import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { Config } from '#config.ts';
import { pageSecurity } from '#core/pages/security.ts';

const prefix = '/oidc';

/** Routes everything below /oidc that none of our own pages handles to the identity provider. */
export function mountProvider(app: FastifyInstance, currentProvider: () => Provider, config: Config): void {
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
    scope.all(`${prefix}/*`, async (request, reply) => {
      reply.hijack();
      const { raw } = request;
      const path = (raw.url ?? '').slice(prefix.length);
      for (const [name, value] of Object.entries(headersFor(path, config))) reply.raw.setHeader(name, value);
      rewriteToPublicUrl(request, config.PUBLIC_URL);
      Object.assign(raw, { originalUrl: raw.url, url: path });
      await handlerOf(currentProvider())(raw, reply.raw);
    });
  });
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
