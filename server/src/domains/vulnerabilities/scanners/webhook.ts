import { createHash } from 'node:crypto';
import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isArchived } from '#core/archived.ts';
import { Invalid } from '#core/errors.ts';
import { parseJson } from '#core/json.ts';
import type { Services } from '#core/services.ts';
import { acceptedSecrets, anySignature } from '#core/signatures.ts';
import { signedRoute } from '#core/signed-route.ts';
import type { ScannerDeliveries } from '#providers/scanner-connector.ts';
import { queueScannerSync } from './commands.ts';
import { connectionSecretLocation, maybeConnectionRow, type ScannerOf } from './connection-row.ts';
import { maybeOrganizationOfWebhook } from './queries.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const eventName = /^[a-z0-9_]{1,100}$/;

/**
 * Receives webhooks of a scanner about finished scans, if it has any. Not an endpoint of the contract: the caller signs
 * the raw bytes with the secret of the organization that the URL names.
 */
export async function scannerWebhookRoute(
  app: FastifyInstance,
  services: Services,
  scanner: ScannerName,
): Promise<void> {
  const { deliveries } = services.scanners.definition(scanner);
  if (deliveries === undefined) return;
  await signedRoute(app, {
    path: `/api/webhooks/${scanner}`,
    contentTypes: ['application/json'],
    bodyLimit: MAX_BODY_BYTES,
    findSender: (request) => findSender(services, scanner, deliveries, request),
    async handle(request, reply, { orgId }, body) {
      const text = body.toString();
      const parsed = deliverySchema.safeParse(parseJson(text));
      if (!parsed.success || text.includes('\0')) throw Invalid('', 'is not a JSON object');
      const event = header(request, deliveries.eventHeader);
      const isNew = await receive(
        services,
        { orgId, scanner },
        {
          event: eventName.test(event) ? event : 'scan',
          body: text,
          projectId: parsed.data.projectId,
        },
      );
      return reply.status(202).send({ accepted: true, duplicate: !isNew });
    },
  });
}

const deliverySchema = z.looseObject({ projectId: z.string().min(1).max(200).optional().catch(undefined) });

async function findSender(
  { database, secrets }: Services,
  scanner: ScannerName,
  { signatureHeader, signatureOf }: ScannerDeliveries,
  request: FastifyRequest,
) {
  const { hook } = request.query as { hook?: unknown };
  if (typeof hook !== 'string' || !uuid.test(hook)) return undefined;
  const orgId = await database.global((tx) => maybeOrganizationOfWebhook(tx, scanner, hook));
  const row =
    orgId === undefined ? undefined : await database.withOrg(orgId, (tx) => maybeConnectionRow(tx, orgId, scanner));
  if (orgId === undefined || !row?.hook_secret) return undefined;
  const { hook_secret, previous_hook_secret: previous, previous_hook_until: until } = row;
  const signature = anySignature(
    acceptedSecrets(hook_secret, previous, until).map((sealed) => {
      const secret = secrets.open(connectionSecretLocation(orgId, scanner, 'hook_secret'), sealed).toString();
      return signatureOf(secret, header(request, signatureHeader));
    }),
  );
  return signature && { orgId, signature };
}

/** Stores the delivery and queues a sync of the project; returns false for a duplicate. */
const receive = (
  services: Services,
  { orgId, scanner }: ScannerOf,
  { event, body, projectId }: { event: string; body: string; projectId: string | undefined },
): Promise<boolean> =>
  services.database.withOrg(orgId, async (tx) => {
    const inserted = await tx.db
      .insertInto('webhook_delivery')
      .values({
        org_id: orgId,
        provider: scanner,
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
      await queueScannerSync(services, tx, { orgId, scanner }, projectId === undefined ? {} : { projectId });
    return true;
  });

const header = (request: FastifyRequest, name: string): string => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
};
