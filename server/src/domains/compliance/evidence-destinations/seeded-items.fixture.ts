import { newId } from '#core/ids.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';
import { secretLocation } from '../../delivery/destinations/queries.ts';
import { evidenceDestinations } from './destination-type.ts';

declare module '../../../architecture/seeded.ts' {
  interface Seed {
    destinationId: string;
    /** Failed. */
    evidenceDeliveryId: string;
    /** A snapshot that was not sent yet. */
    unsentId: string;
  }
}

/** A GitLab that is never reached, with a failed delivery. */
export const seededItems: SeededItems = {
  create: () => ({ destinationId: newId(), evidenceDeliveryId: newId(), unsentId: newId() }),
  restore: async (
    { secrets },
    { db },
    { orgId, org, snapshotId, destinationId, evidenceDeliveryId: delivery_id, unsentId },
  ) => {
    const of = { org_id: orgId };
    await db.deleteFrom('evidence_destination').where('org_id', '=', orgId).execute();
    const settings = { url: 'https://gitlab.example', externalControl: 1, controls: ['LOG-01'] };
    await db
      .insertInto('evidence_destination')
      .values({
        ...of,
        id: destinationId,
        kind: 'gitlab',
        name: `House ${destinationId}`,
        settings: JSON.stringify(settings),
        secret_sealed: secrets.seal(
          secretLocation(evidenceDestinations, orgId, destinationId),
          Buffer.from('a secret'),
        ),
        created_by: org.owner.id,
      })
      .execute();
    const request = { destination_id: destinationId, snapshot_id: snapshotId, requested_by: org.owner.id };
    await db
      .insertInto('evidence_delivery')
      .values({ ...of, id: delivery_id, ...request, state: 'failed', problem: 'Not let in.', ended_at: new Date() })
      .execute();
    await db
      .insertInto('evidence_delivery_item')
      .values({
        ...of,
        delivery_id,
        key: 'project 1',
        position: 0,
        label: 'architecture/widgets',
        state: 'failed',
        message: 'No.',
      })
      .execute();
    const exchange = { request: 'PATCH /status', response_status: 401, response: '{}', failure: 'Not let in.', ms: 12 };
    await db
      .insertInto('evidence_exchange')
      .values({ ...of, id: newId(), delivery_id, ...exchange })
      .execute();
    await db
      .insertInto('snapshot')
      .values({
        ...of,
        id: unsentId,
        name: `Unsent ${unsentId}`,
        period_from: '2025-01-01Z',
        period_to: '2025-04-01Z',
        controls: ['LOG-01'],
        redaction: 'none',
        created_by: org.owner.id,
        state: 'ready',
        results: '[]',
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
};
