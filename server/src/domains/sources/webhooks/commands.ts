import { NIL_UUID } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { createThrottle } from '#core/throttle.ts';
import { maybeOrgOfInstallation } from '../github/queries.ts';
import { createInbox, type InboxEntry } from './inbox.ts';

export interface WebhookReceiver {
  /** Stores a delivery durably. Returns false for a duplicate, which changes nothing. */
  receive: (orgId: string, entry: InboxEntry) => Promise<boolean>;
  /** The organization of an installation of the GitHub app; `NIL_UUID` if it is not bound. */
  orgOf: (installationId: string | undefined) => Promise<string>;
  /** Queues the processing of received deliveries that is not queued yet. */
  flush: () => Promise<void>;
}

const CACHE_MS = 5_000;
/** The pause between two queued jobs for the deliveries of an organization. */
const PAUSE_MS = 200;

export function createWebhookReceiver(services: Services): WebhookReceiver {
  const orgOf = cachedOrgLookup(services);
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

function cachedOrgLookup({ database }: Services): (installationId: string) => Promise<string | undefined> {
  const cache = new Map<string, { at: number; orgId: string }>();
  return async (installationId) => {
    const found = cache.get(installationId);
    if (found && Date.now() - found.at < CACHE_MS) return found.orgId;
    const orgId = await database.global((tx) => maybeOrgOfInstallation(tx, installationId));
    if (cache.size > 10_000) cache.clear();
    // Does not cache unbound installations, which may be bound at any time.
    if (orgId === undefined) cache.delete(installationId);
    else cache.set(installationId, { at: Date.now(), orgId });
    return orgId;
  };
}
