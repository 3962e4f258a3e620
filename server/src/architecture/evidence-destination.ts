import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { evidenceDestinations } from '../domains/compliance/evidence-destinations/destination-type.ts';
import { secretLocation } from '../domains/delivery/destinations/queries.ts';

/** An evidence destination with a failed delivery, and a snapshot that was not sent yet. */
export interface SeededEvidenceDestination {
  destinationId: string;
  evidenceDeliveryId: string;
  unsentId: string;
}

export const newEvidenceDestination = (): SeededEvidenceDestination => ({
  destinationId: newId(),
  evidenceDeliveryId: newId(),
  unsentId: newId(),
});

/**
 * Restores the destination and its delivery and deletes all other destinations. It is a GitLab that is never reached.
 */
export async function insertEvidenceDestination(
  { secrets }: Services,
  { db }: Tx,
  {
    orgId,
    owner,
    snapshotId,
    destinationId,
    evidenceDeliveryId: delivery_id,
    unsentId,
  }: SeededEvidenceDestination & { orgId: string; owner: string; snapshotId: string },
): Promise<void> {
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
      secret_sealed: secrets.seal(secretLocation(evidenceDestinations, orgId, destinationId), Buffer.from('a secret')),
      created_by: owner,
    })
    .execute();
  const request = { destination_id: destinationId, snapshot_id: snapshotId, requested_by: owner };
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
      created_by: owner,
      state: 'ready',
      results: '[]',
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
