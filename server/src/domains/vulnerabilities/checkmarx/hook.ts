import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isArchived } from '#core/archived.ts';
import { Invalid } from '#core/errors.ts';
import { parseJson } from '#core/json.ts';
import type { Services } from '#core/services.ts';
import { acceptedSecrets, anySignature } from '#core/signatures.ts';
import { signedRoute } from '#core/signed-route.ts';
import { checkmarxSignatureOf } from '#providers/checkmarx/webhooks.ts';
import { queueCheckmarxSync } from './commands.ts';
import { maybeOrganizationOfWebhook } from './queries.ts';
import { connectionSecretLocation, maybeConnectionRow } from './row.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const eventName = /^[a-z0-9_]{1,100}$/;

/**
 * Receives webhooks of Checkmarx One about completed scans. Not an endpoint of the contract: the caller signs the raw
 * bytes with the secret of the organization that the URL names.
 */
export const checkmarxWebhookRoute = (app: FastifyInstance, services: Services): Promise<void> =>
  signedRoute(app, {
    path: '/api/webhooks/checkmarx',
    contentTypes: ['application/json'],
    bodyLimit: MAX_BODY_BYTES,
    findSender: (request) => findSender(services, request),
    async handle(request, reply, { orgId }, body) {
      const text = body.toString();
      const parsed = deliverySchema.safeParse(parseJson(text));
      if (!parsed.success || text.includes('\0')) throw Invalid('', 'is not a JSON object');
      const event = header(request, 'x-cx-webhook-event');
      const isNew = await receive(services, orgId, {
        event: eventName.test(event) ? event : 'scan',
        body: text,
        projectId: parsed.data.projectId,
      });
      return reply.status(202).send({ accepted: true, duplicate: !isNew });
    },
  });

const deliverySchema = z.looseObject({ projectId: z.string().min(1).max(200).optional().catch(undefined) });

async function findSender({ database, secrets }: Services, request: FastifyRequest) {
  const { hook } = request.query as { hook?: unknown };
  if (typeof hook !== 'string' || !uuid.test(hook)) return undefined;
  const orgId = await database.global((tx) => maybeOrganizationOfWebhook(tx, hook));
  const row = orgId === undefined ? undefined : await database.withOrg(orgId, (tx) => maybeConnectionRow(tx, orgId));
  if (orgId === undefined || !row?.hook_secret) return undefined;
  const { hook_secret, previous_hook_secret: previous, previous_hook_until: until } = row;
  const signature = anySignature(
    acceptedSecrets(hook_secret, previous, until).map((sealed) => {
      const secret = secrets.open(connectionSecretLocation(orgId, 'hook_secret'), sealed).toString();
      return checkmarxSignatureOf(secret, header(request, 'x-cx-webhook-signature'));
    }),
  );
  return signature && { orgId, signature };
}

/** Stores the delivery and queues a sync of the project; returns false for a duplicate. */
const receive = (
  services: Services,
  orgId: string,
  { event, body, projectId }: { event: string; body: string; projectId: string | undefined },
): Promise<boolean> =>
  services.database.withOrg(orgId, async (tx) => {
    const inserted = await tx.db
      .insertInto('webhook_delivery')
      .values({
        org_id: orgId,
        provider: 'checkmarx',
        // Deliveries have no ID; equal bodies are duplicates.
        delivery_id: createHash('sha256').update(body).digest('hex'),
        event,
        body,
        // The sync is a job of its own.
        processed_at: new Date(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('delivery_id')
      .executeTakeFirst();
    if (!inserted) return false;
    if (!(await isArchived(tx, orgId)))
      await queueCheckmarxSync(services, tx, orgId, projectId === undefined ? {} : { projectId });
    return true;
  });

const header = (request: FastifyRequest, name: string): string => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
};
