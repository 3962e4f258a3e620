import type { Provider } from '@sightline/contract/repositories.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Invalid, NotFound, Refusal } from '#core/errors.ts';
import { refuse } from '#core/http.ts';
import type { Services } from '#core/services.ts';
import { maybeSigner } from '../host-hooks/queries.ts';
import { createReception } from './commands.ts';
import { webhooksOf } from './hosts.ts';
import { payloadOf } from './payload.ts';
import { withoutSecrets } from './redaction.ts';

// GitHub's own cap.
const bodyLimit = 25 * 1024 * 1024;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Where code hosts tell what happened. Not an endpoint of the contract: the caller signs the raw bytes, which are
 * checked before anything is read from them.
 */
export async function webhookRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const reception = createReception(services);
  app.addHook('onClose', () => reception.settle());

  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser(
      ['application/json', 'application/x-www-form-urlencoded'],
      { parseAs: 'buffer', bodyLimit },
      (_request, body, done) => done(null, body),
    );
    raw.setErrorHandler((error, request, reply) => refuse(worded(error), request, reply));

    raw.post<{ Params: { provider: string } }>('/api/webhooks/:provider', { bodyLimit }, async (request, reply) => {
      const { provider } = request.params;
      const host = webhooksOf(provider);
      if (!host) throw NotFound();
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const header = headerOf(request);
      const { hook } = request.query as { hook?: unknown };
      const hookId = provider !== 'github' && typeof hook === 'string' && uuid.test(hook) ? hook.toLowerCase() : null;
      const secret = await secretOfApp(services, provider);
      const signer = hookId === null ? secret && { secret } : await maybeSigner(services, provider, hookId);
      if (provider === 'github' && !signer) throw NotFound();
      if (!signer || !host.verify(signer.secret, body, header)) {
        throw new Refusal('bad_signature', 'The signature does not fit the body.');
      }
      const { deliveryId, event } = host.name(body, header);
      const text = body.toString();
      const payload = payloadOf(text);
      // A form may carry a NUL beside its payload, which PostgreSQL cannot store.
      if (!payload || text.includes('\0')) throw Invalid('', 'is not a JSON object');
      const orgId = 'orgId' in signer ? signer.orgId : await reception.orgOf(installationOf(payload));
      const entry = { provider: provider as Provider, hookId, deliveryId, event, body: withoutSecrets(event, text) };
      const added = await reception.receive(orgId, entry);
      return reply.status(202).send({ accepted: true, duplicate: !added });
    });
  });
}

// Where an app brings every webhook, one secret signs for all.
const secretOfApp = async ({ githubApps }: Services, provider: string): Promise<string | undefined> =>
  provider === 'github' ? (await githubApps.find())?.config.webhookSecret : undefined;

const headerOf =
  ({ headers }: FastifyRequest) =>
  (name: string): string => {
    const value = headers[name];
    return typeof value === 'string' ? value : '';
  };

function installationOf({ installation }: Record<string, unknown>): string | undefined {
  const id = typeof installation === 'object' && installation !== null && 'id' in installation && installation.id;
  return Number.isSafeInteger(id) ? String(id) : undefined;
}

const worded = (error: unknown): unknown =>
  (error as { code?: string }).code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    ? new Refusal('too_large', 'The body is larger than 25 MB.')
    : error;
