import { newId } from '#core/ids.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';
import { trackerSecretLocation } from './row.ts';

/** A connection to Linear that is never used: its token is invalid. No ticket was requested. */
export const seededItems: SeededItems = {
  create: () => ({}),
  restore: async ({ secrets }, { db }, { orgId, org }) => {
    for (const table of ['ticket_link', 'ticket_request', 'ticket', 'tracker'] as const)
      await db.deleteFrom(table).where('org_id', '=', orgId).execute();
    await db
      .insertInto('tracker')
      .values({
        org_id: orgId,
        name: 'linear',
        status: 'active',
        base_url: `https://${org.name.toLowerCase().replaceAll(/\W/g, '-')}.example`,
        account: `Tickets of ${org.name}`,
        token_end: 'none',
        secret: secrets.seal(trackerSecretLocation(orgId, 'linear', 'secret'), Buffer.from(`${org.name} has no token`)),
        hook: newId(),
        projects: JSON.stringify([{ key: 'PAY', name: `Payments of ${org.name}`, types: [] }]),
        created_by: org.owner.id,
      })
      .execute();
  },
};
