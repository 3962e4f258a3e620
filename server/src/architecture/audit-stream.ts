import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { newSigningSecret } from '#core/standard-webhooks.ts';
import type { Tx } from '#database/database.ts';
import { secretLocation } from '../domains/delivery/destinations/queries.ts';
import { auditStreams } from '../domains/organization/audit-streams/stream-type.ts';

/** A destination of the audit log stream. */
export interface SeededAuditStream {
  streamId: string;
}

export const newAuditStreamIds = (): SeededAuditStream => ({ streamId: newId() });

/** Restores the destination and deletes all others. Its host does not exist. */
export async function insertAuditStream(
  { secrets }: Services,
  { db }: Tx,
  { orgId, owner, streamId }: SeededAuditStream & { orgId: string; owner: string },
): Promise<void> {
  await db.deleteFrom('audit_stream').where('org_id', '=', orgId).execute();
  await db
    .insertInto('audit_stream')
    .values({
      org_id: orgId,
      id: streamId,
      kind: 'https',
      name: `House ${streamId}`,
      created_by: owner,
      settings: JSON.stringify({ url: 'https://siem.invalid/audit' }),
      secret_sealed: secrets.seal(secretLocation(auditStreams, orgId, streamId), Buffer.from(newSigningSecret())),
      epoch: 0,
      leaf_index: -1,
      failure: 'unreachable',
      failing_since: new Date(),
      failed_at: new Date(),
      tries: 1,
    })
    .execute();
}
