import { newId } from '#core/ids.ts';
import { newSigningSecret } from '#core/standard-webhooks.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';
import { secretLocation } from '../../delivery/destinations/queries.ts';
import { auditStreams } from './stream-type.ts';

declare module '../../../architecture/seeded.ts' {
  interface Seed {
    streamId: string;
  }
}

/** A destination of the audit log whose host does not exist. */
export const seededItems: SeededItems = {
  create: () => ({ streamId: newId() }),
  restore: async ({ secrets }, { db }, { orgId, org, streamId }) => {
    await db.deleteFrom('audit_stream').where('org_id', '=', orgId).execute();
    await db
      .insertInto('audit_stream')
      .values({
        org_id: orgId,
        id: streamId,
        kind: 'https',
        name: `House ${streamId}`,
        created_by: org.owner.id,
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
  },
};
