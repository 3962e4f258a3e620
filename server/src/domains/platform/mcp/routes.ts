import { createMcpHandler } from '@modelcontextprotocol/server';
import { mcpPath, mcpScope } from '@sightline/contract/platform/mcp.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Invalid, Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { issuerOf, mcpResourceOf } from '#core/tokens.ts';
import { authenticateMcpCaller, type McpCaller } from './authenticate.ts';
import { createServer } from './server.ts';

const MAX_BODY_BYTES = 256 * 1024;
const metadataPath = `/.well-known/oauth-protected-resource${mcpPath}`;

declare module 'fastify' {
  interface FastifyRequest {
    mcpCaller: McpCaller | undefined;
  }
}

/**
 * Serves MCP over Streamable HTTP (https://modelcontextprotocol.io/specification), without sessions. Not an endpoint of
 * the contract: the protocol defines path, bodies and responses.
 */
export async function mcpRoutes(app: FastifyInstance, services: Services): Promise<void> {
  await serveMcp(app, services, (caller, request, webRequest) => {
    // The handler lives as long as its request: it holds no state of another one.
    const handler = createMcpHandler(() => createServer(services, caller, request), {
      legacy: 'stateless',
      // Nothing changes while a request is served, so there is nothing to subscribe to.
      maxSubscriptions: 0,
      onerror: (error) => services.log.info({ err: error, requestId: request.id }, 'MCP request rejected'),
    });
    return handler.fetch(webRequest);
  });
  for (const path of [metadataPath, '/.well-known/oauth-protected-resource']) {
    app.get(path, async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').send(protectedResourceOf(services)),
    );
  }
}

/** Responds to a request whose caller is authenticated. */
type McpResponder = (caller: McpCaller, request: FastifyRequest, webRequest: Request) => Promise<Response>;

/** The route: origin, credential, size of the body. `respond` speaks the protocol; the conformance test has its own. */
export async function serveMcp(app: FastifyInstance, services: Services, respond: McpResponder): Promise<void> {
  const { PUBLIC_URL } = services.config;
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The protocol's own parser answers invalid JSON.
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.decorateRequest('mcpCaller', undefined);
    scope.addHook('onRequest', async (request, reply) => {
      requireOwnOrigin(request, PUBLIC_URL);
      request.mcpCaller = await authenticate(services, request, reply);
    });
    scope.all(mcpPath, async (request, reply) => {
      const { mcpCaller: caller } = request;
      if (!caller) throw new Error('The caller is authenticated before the request is served.');
      const aborted = new AbortController();
      reply.raw.once('close', () => aborted.abort());
      return reply.send(await respond(caller, request, webRequestOf(request, PUBLIC_URL, aborted.signal)));
    });
  });
}

/**
 * Throws 403 for a request of a page of another site, which browsers mark with its origin: such a page could reach a
 * server in the network of its visitor, also by DNS rebinding. Agents send no origin.
 */
function requireOwnOrigin({ headers: { origin } }: FastifyRequest, publicUrl: string): void {
  if (origin === undefined || origin === new URL(publicUrl).origin) return;
  throw new Refusal('forbidden', 'Pages of other sites may not use the MCP server.');
}

async function authenticate(services: Services, request: FastifyRequest, reply: FastifyReply): Promise<McpCaller> {
  // RFC 6750, section 2.3: an address ends up in logs and histories.
  if (/[?&]access_token=/.test(request.url)) throw Invalid('access_token', 'must be sent in the Authorization header');
  try {
    return await authenticateMcpCaller(services, request);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unauthenticated') {
      const problem = request.headers.authorization === undefined ? '' : 'error="invalid_token", ';
      const metadata = `${services.config.PUBLIC_URL}${metadataPath}`;
      reply.header('www-authenticate', `Bearer ${problem}scope="${mcpScope}", resource_metadata="${metadata}"`);
    }
    throw error;
  }
}

/** RFC 9728. Without our own sign-in pages, the only credentials are access keys. */
const protectedResourceOf = ({ config }: Services) => ({
  resource: mcpResourceOf(config.PUBLIC_URL),
  ...(config.direct === undefined && { authorization_servers: [issuerOf(config.PUBLIC_URL)] }),
  scopes_supported: [mcpScope],
  bearer_methods_supported: ['header'],
  resource_name: 'Sightline',
  resource_documentation: `${config.PUBLIC_URL}/docs/mcp`,
});

function webRequestOf({ method, headers, body }: FastifyRequest, publicUrl: string, signal: AbortSignal): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'authorization' ? [] : [[name, [value].flat().join(', ')] as [string, string]],
  );
  return new Request(mcpResourceOf(publicUrl), {
    method,
    headers: given,
    signal,
    ...(Buffer.isBuffer(body) && { body: new Uint8Array(body) }),
  });
}
