import { NIL_UUID } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { createThrottle } from '#core/throttle.ts';
import { maybeOrgOfInstallation } from '../github/queries.ts';
import { createInbox, type InboxEntry } from './inbox.ts';

export interface Reception {
  /** Stores a delivery durably; answers false for one that is here already, which stays as it is. */
  receive: (orgId: string, entry: InboxEntry) => Promise<boolean>;
  /** The organization that an installation of GitHub's app is bound to; `NIL_UUID` for one that is not bound. */
  orgOf: (installationId: string | undefined) => Promise<string>;
  /** Queues the work on what has come and was not queued yet. */
  flush: () => Promise<void>;
}

const freshFor = 5_000;
/** Between two jobs that are queued for what an organization receives. */
const PAUSE_MS = 200;

export function createReception(services: Services): Reception {
  const orgOf = rememberOrgs(services);
  const { database, jobs, log } = services;
  const received = createThrottle<null>(
    PAUSE_MS,
    (orgId) => database.withOrg(orgId, (tx) => jobs.enqueue(tx, 'webhook.work', { orgId }, { key: orgId })),
    log,
  );
  const inbox = createInbox(database);
  return {
    orgOf: async (installationId) => (installationId !== undefined && (await orgOf(installationId))) || NIL_UUID,
    async receive(orgId, entry) {
      const added = await inbox(orgId, entry);
      if (added && orgId !== NIL_UUID) received.add(orgId, null);
      return added;
    },
    flush: received.flush,
  };
}

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
