import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Invalid, NotFound, Refusal } from '#core/errors.ts';
import { refuse } from '#core/http.ts';
import type { Services } from '#core/services.ts';
import { createReception } from './commands.ts';
import { payloadOf } from './payload.ts';
import { withoutSecrets } from './redaction.ts';

// GitHub's own cap.
const bodyLimit = 25 * 1024 * 1024;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const eventName = /^[a-z0-9_]{1,100}$/;

/**
 * Where code hosts tell what happened. Not an endpoint of the contract: the caller signs the raw bytes, which are
 * checked before anything is read from them.
 */
export async function webhookRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { github } = services;
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
      if (request.params.provider !== 'github' || !github) throw NotFound();
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      if (!github.verifyWebhook(body, header(request, 'x-hub-signature-256'))) {
        throw new Refusal('bad_signature', 'The signature does not fit the body.');
      }
      const deliveryId = header(request, 'x-github-delivery').toLowerCase();
      const event = header(request, 'x-github-event');
      if (!uuid.test(deliveryId)) throw Invalid('X-GitHub-Delivery', 'must be a uuid');
      if (!eventName.test(event)) throw Invalid('X-GitHub-Event', 'must name an event');
      const text = body.toString();
      const payload = payloadOf(text);
      // A form may carry a NUL beside its payload, which PostgreSQL cannot store.
      if (!payload || text.includes('\0')) throw Invalid('', 'is not a JSON object');
      const entry = { deliveryId, event, body: withoutSecrets(event, text) };
      const added = await reception.receive(entry, installationOf(payload));
      return reply.status(202).send({ accepted: true, duplicate: !added });
    });
  });
}

const header = (request: FastifyRequest, name: string): string => {
  const value = request.headers[name];
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
