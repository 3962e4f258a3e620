import { createHash } from 'node:crypto';
import { type TrackerName, trackerNames } from '@sightline/contract/sources/trackers.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isArchived } from '#core/archived.ts';
import { Invalid } from '#core/errors.ts';
import { parseJson } from '#core/json.ts';
import type { Services } from '#core/services.ts';
import { acceptedSecrets, anySignature } from '#core/signatures.ts';
import { signedRoute } from '#core/signed-route.ts';
import { maybeOrganizationOfHook } from './queries.ts';
import { queueTrackerSync } from './queue.ts';
import { findConnector, listConnectedTrackers, trackerSecretLocation } from './row.ts';

const MAX_BODY_BYTES = 2 * 1024 * 1024;
const MAX_IDS = 20;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Receives webhooks of issue trackers. Not an endpoint of the contract: the tracker signs the raw bytes with the secret
 * of the connection that the URL names. A delivery only names tickets, which are then read from the tracker.
 */
export const trackerWebhookRoute = (app: FastifyInstance, services: Services): Promise<void> =>
  signedRoute(app, {
    path: '/api/webhooks/trackers',
    contentTypes: ['application/json'],
    bodyLimit: MAX_BODY_BYTES,
    findSender: (request) => findSender(services, request),
    async handle(request, reply, { orgId, tracker }, body) {
      const text = body.toString();
      const { webhook } = findConnector(services, tracker);
      const json = parseJson(text);
      if (json === null || typeof json !== 'object' || text.includes('\0')) throw Invalid('', 'is not a JSON object');
      const sha256 = createHash('sha256').update(body).digest();
      const { event, ids } = webhook.parse(json);
      const isNew = await receive(services, orgId, tracker, {
        id: (webhook.deliveryOf(request.headers) ?? sha256.toString('hex')).slice(0, 200),
        event,
        sha256,
        ids: ids.slice(0, MAX_IDS),
      });
      return reply.status(202).send({ accepted: true, duplicate: !isNew });
    },
  });

async function findSender({ database, secrets, trackers }: Services, request: FastifyRequest) {
  const { hook } = request.query as { hook?: unknown };
  if (typeof hook !== 'string' || !uuid.test(hook)) return undefined;
  const orgId = await database.global((tx) => maybeOrganizationOfHook(tx, hook));
  if (orgId === undefined) return undefined;
  const rows = await database.withOrg(orgId, (tx) => listConnectedTrackers(tx, orgId));
  const row = rows.find((one) => one.hook === hook.toLowerCase());
  const tracker = trackerNames.find((name) => name === row?.name);
  const connector = tracker && trackers.get(tracker);
  if (!row?.hook_secret || !connector || !tracker) return undefined;
  const signature = anySignature(
    acceptedSecrets(row.hook_secret, row.previous_hook_secret, row.previous_hook_until).map((sealed) => {
      const secret = secrets.open(trackerSecretLocation(orgId, tracker, 'hook_secret'), sealed).toString();
      return connector.webhook.signatureOf(request.headers, secret);
    }),
  );
  return signature && { orgId, tracker, signature };
}

/** Stores the delivery and queues a reading of its tickets; returns false for a duplicate. */
const receive = (
  services: Services,
  orgId: string,
  tracker: TrackerName,
  { id, event, sha256, ids }: { id: string; event: string; sha256: Buffer; ids: string[] },
): Promise<boolean> =>
  services.database.withOrg(orgId, async (tx) => {
    const inserted = await tx.db
      .insertInto('webhook_delivery')
      .values({
        org_id: orgId,
        provider: tracker,
        delivery_id: id,
        event: event === '' ? 'unknown' : event,
        // The body names people and is not needed: only its hash is stored.
        body: '',
        body_deleted_at: new Date(),
        sha256,
        // The sync is a job of its own.
        processed_at: new Date(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('delivery_id')
      .executeTakeFirst();
    if (!inserted) return false;
    if (ids.length > 0 && !(await isArchived(tx, orgId))) await queueTrackerSync(services, tx, orgId, { tracker, ids });
    return true;
  });
