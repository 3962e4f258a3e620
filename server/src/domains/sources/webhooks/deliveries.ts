import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostEvent } from '#providers/host-events.ts';
import { queueRepositorySync, removeRepositories, saveRepositories, updateRepository } from '../code-hosts/commands.ts';
import { grantPermissions, suspendInstallation, unsuspendInstallation } from '../github/commands.ts';
import { queueAccess } from '../host-access/commands.ts';
import { unbindInstallation } from '../installations/commands.ts';
import { queueProtection } from '../protection/commands.ts';
import { unpackBody } from './body.ts';
import type { Delivery, DeliveryWork, WebhookWork } from './delivery.ts';
import { handleAlert } from './handle-alert.ts';
import { parsePayload } from './payload.ts';
import { handlePullRequest } from './pull-requests.ts';
import { handlePush, handleRefDeleted } from './pushes.ts';
import { maybeDeliveryRepository, maybeHookRepository } from './repositories.ts';
import { alertsChanged } from './topics.ts';

/**
 * Processes a delivery. Idempotent. Ignores unknown events. Throws HostLimited while the host limits requests, and
 * other errors if a retry may succeed.
 */
export async function handleDelivery(
  services: Services,
  orgId: string,
  { provider, hookId, event, body, receivedAt }: Delivery,
  isLastTry: boolean,
): Promise<void> {
  const payload = parsePayload(unpackBody(body));
  const { webhooks } = services.codeHostModules.get(provider) ?? {};
  const events = payload ? (webhooks?.read(event, payload) ?? []) : [];
  for (const hostEvent of events)
    await handleEvent({ services, orgId, provider, hookId, hostEvent, receivedAt, isLastTry });
}

type Handlers = { [Kind in HostEvent['kind']]: (work: WebhookWork<Kind>) => Promise<void> };

const handlers: Handlers = {
  installation: handleInstallation,
  selection: handleSelection,
  repository: handleRepository,
  push: handlePush,
  ref_deleted: handleRefDeleted,
  pull_request: handlePullRequest,
  alert: handleAlert,
  protection: handleProtection,
  access: handleAccess,
};

const handleEvent = <Kind extends HostEvent['kind']>(
  work: DeliveryWork<Extract<HostEvent, { kind: Kind }>>,
): Promise<void> => (handlers[work.hostEvent.kind] as (work: DeliveryWork) => Promise<void>)(work);

/** Reads the branch protection again after a change. */
async function handleProtection(work: WebhookWork<'protection'>): Promise<void> {
  const { services, orgId, hostEvent } = work;
  const subject = await maybeDeliveryRepository(work, hostEvent.repository);
  if (!subject) return;
  await services.database.withOrg(orgId, (tx) =>
    queueProtection(services, tx, orgId, { repositoryId: subject.repositoryId }),
  );
}

/** Reads the access again after a change: of the named repository, or of all in the installation. */
async function handleAccess(work: WebhookWork<'access'>): Promise<void> {
  const { services, orgId, hookId, hostEvent } = work;
  const { repository, installationId } = hostEvent;
  const subject = repository && (await maybeDeliveryRepository(work, repository));
  await services.database.withOrg(orgId, async (tx) => {
    const isOfInstallation = repository === null && hookId === null && installationId !== null;
    const all = isOfInstallation ? await enabledOfInstallation(tx, orgId, installationId) : [];
    for (const repositoryId of subject ? [subject.repositoryId] : all) {
      await queueAccess(services, tx, orgId, { repositoryId });
    }
  });
}

async function handleInstallation(work: WebhookWork<'installation'>): Promise<void> {
  const { services, orgId, provider, receivedAt, hostEvent } = work;
  // One of our webhooks is only valid for its repository.
  if (work.hookId !== null) return;
  const { installationId: id } = hostEvent;
  const change: Readonly<Record<typeof hostEvent.change, (tx: Tx) => Promise<unknown>>> = {
    created: (tx) => queueRepositorySync(services, tx, orgId, { provider, installationId: id }),
    deleted: (tx) => unbindInstallation(services, tx, orgId, { key: { provider, installationId: id }, at: receivedAt }),
    suspended: (tx) => suspendInstallation(services, tx, orgId, id),
    resumed: (tx) => unsuspendInstallation(services, tx, orgId, id),
    permissions: async (tx) => {
      await grantPermissions(services, tx, orgId, { id, granted: hostEvent.permissions });
      const repositoryIds = await enabledOfInstallation(tx, orgId, id);
      await services.topics.publish({ services, tx, orgId }, alertsChanged, { repositoryIds });
      for (const repositoryId of repositoryIds) await queueAccess(services, tx, orgId, { repositoryId });
    },
  };
  await services.database.withOrg(orgId, change[hostEvent.change]);
}

async function handleSelection(work: WebhookWork<'selection'>): Promise<void> {
  const { services, orgId, provider, hookId, hostEvent } = work;
  const { database, realtime } = services;
  if (hookId !== null) {
    const { installationId } = (await maybeHookRepository(work, hookId)) ?? {};
    if (installationId === undefined || !hostEvent.hasAdded) return;
    await database.withOrg(orgId, (tx) => queueRepositorySync(services, tx, orgId, { provider, installationId }));
    return;
  }
  await database.withOrg(orgId, async (tx) => {
    await removeRepositories(services, tx, orgId, { provider, hostIds: hostEvent.removed });
    // The payload has no default branch for new repositories.
    if (hostEvent.hasAdded)
      await queueRepositorySync(services, tx, orgId, { provider, installationId: hostEvent.installationId });
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgRepos', {}));
  });
}

async function handleRepository(work: WebhookWork<'repository'>): Promise<void> {
  const { services, orgId, provider, hookId, hostEvent } = work;
  const { change, installationId } = hostEvent;
  const id = hookId === null ? hostEvent.repository.id : (await maybeHookRepository(work, hookId))?.hostId;
  if (id === undefined || (hookId !== null && change === 'created')) return;
  const repository = { ...hostEvent.repository, id };
  await services.database.withOrg(orgId, async (tx) => {
    if (change === 'created') {
      await saveRepositories(services, tx, orgId, {
        installationKey: { provider, installationId },
        repositories: [repository],
      });
    } else if (change === 'deleted')
      await removeRepositories(services, tx, orgId, { provider, hostIds: [repository.id] });
    else await updateRepository(services, tx, orgId, { provider, repository });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgRepos', {}));
  });
}

/** The IDs of the enabled repositories of a GitHub installation. */
async function enabledOfInstallation({ db }: Tx, orgId: string, installationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('repository')
    .where('org_id', '=', orgId)
    .where('provider', '=', 'github')
    .where('installation_id', '=', installationId)
    .where('tracked', '=', true)
    .where('removed_at', 'is', null)
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
}
