import type { Services } from '#core/services.ts';
import { maybeOrgOfInstallation } from '../github/queries.ts';
import { createBell } from './bell.ts';

export interface Received {
  deliveryId: string;
  event: string;
  /** As it was signed. */
  body: string;
  installationId: string | undefined;
}

export interface Reception {
  /** Stores a delivery durably; answers false for one that is here already, which stays as it is. */
  receive: (received: Received) => Promise<boolean>;
  /** Rings for what has come and was not rung for yet. */
  settle: () => Promise<void>;
}

// Deliveries of nobody's installation are kept under the organisation that no token names.
const nobody = '00000000-0000-0000-0000-000000000000';
const freshFor = 5_000;

export function createReception(services: Services): Reception {
  const orgOf = rememberOrgs(services);
  const bell = createBell(services);
  return {
    async receive({ deliveryId, event, body, installationId }) {
      const orgId = (installationId !== undefined && (await orgOf(installationId))) || nobody;
      // A job that outlives this process stands behind the bell: rung before the row, it misses none.
      if (orgId !== nobody) await bell.guard(orgId);
      const { rowCount } = await services.database.pool.query({
        name: 'webhooks.receive',
        text: receiveSql,
        values: [orgId, deliveryId, event, body],
      });
      const added = rowCount === 1;
      if (added && orgId !== nobody) bell.ring(orgId);
      return added;
    },
    settle: bell.settle,
  };
}

// One statement and so one round trip, committed when it answers. The row comes from the expression that sets the
// organisation, which is therefore set, for this statement's transaction only, before row-level security looks.
const receiveSql = `
  with tenant as materialized (select set_config('app.org', $1, true) as org)
  insert into webhook_delivery (org_id, provider, delivery_id, event, body)
  select org::uuid, 'github', $2, $3, $4 from tenant
  on conflict do nothing`;

function rememberOrgs({ database }: Services): (installationId: string) => Promise<string | undefined> {
  const known = new Map<string, { at: number; orgId: string }>();
  return async (installationId) => {
    const found = known.get(installationId);
    if (found && Date.now() - found.at < freshFor) return found.orgId;
    const orgId = await database.global((tx) => maybeOrgOfInstallation(tx, installationId));
    if (known.size > 10_000) known.clear();
    // Unknown ones are asked for each time: they may be bound at any moment.
    if (orgId === undefined) known.delete(installationId);
    else known.set(installationId, { at: Date.now(), orgId });
    return orgId;
  };
}
