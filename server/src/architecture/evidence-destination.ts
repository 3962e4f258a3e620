import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { placeOf } from '../domains/compliance/evidence-destinations/secret-location.ts';

/** Where snapshots are sent to: what was sent there failed, and another snapshot was not sent yet. */
export interface SeededExporter {
  exporterId: string;
  exporterDeliveryId: string;
  unsentId: string;
}

export const newExporter = (): SeededExporter => ({
  exporterId: newId(),
  exporterDeliveryId: newId(),
  unsentId: newId(),
});

/** All of it as it was first, and no other exporter. A GitLab, which is never asked when it is tried. */
export async function insertExporter(
  { secrets }: Services,
  { db }: Tx,
  {
    orgId,
    owner,
    snapshotId,
    exporterId,
    exporterDeliveryId: delivery_id,
    unsentId,
  }: SeededExporter & { orgId: string; owner: string; snapshotId: string },
): Promise<void> {
  const of = { org_id: orgId };
  await db.deleteFrom('exporter').where('org_id', '=', orgId).execute();
  const settings = { url: 'https://gitlab.example', externalControl: 1, controls: ['LOG-01'] };
  await db
    .insertInto('exporter')
    .values({
      ...of,
      id: exporterId,
      kind: 'gitlab',
      name: `House ${exporterId}`,
      settings: JSON.stringify(settings),
      secret_sealed: secrets.seal(placeOf(orgId, exporterId), Buffer.from('a secret')),
      created_by: owner,
    })
    .execute();
  const asked = { exporter_id: exporterId, snapshot_id: snapshotId, asked_by: owner };
  await db
    .insertInto('exporter_delivery')
    .values({ ...of, id: delivery_id, ...asked, state: 'failed', problem: 'Not let in.', ended_at: new Date() })
    .execute();
  await db
    .insertInto('exporter_item')
    .values({
      ...of,
      delivery_id,
      key: 'project 1',
      position: 0,
      label: 'architecture/widgets',
      state: 'failed',
      says: 'No.',
    })
    .execute();
  const answered = { request: 'PATCH /status', answer_status: 401, answer: '{}', failure: 'Not let in.', ms: 12 };
  await db
    .insertInto('exporter_exchange')
    .values({ ...of, id: newId(), delivery_id, ...answered })
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
