import { z } from 'zod';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { installationFrom } from '#providers/github/installations.ts';
import { hostId, repositoryFrom } from '#providers/github/shapes.ts';
import { queueAlertsOf } from '../alerts/commands.ts';
import {
  forgetInstallation,
  grantPermissions,
  removeRepositories,
  requestSync,
  saveRepositories,
  suspendInstallation,
  unsuspendInstallation,
  updateRepository,
} from '../github/commands.ts';
import { handleCodeAlert, handleDependencyAlert, handleSecretAlert } from './alerts.ts';
import type { Delivery, Work } from './delivery.ts';
import { payloadOf } from './payload.ts';
import { handlePullRequest, handleReview } from './pull-requests.ts';
import { handleDelete, handlePush } from './pushes.ts';

/**
 * Does what a delivery asks for; doing it twice is the same as once. Events nobody needs are no fault.
 * Throws HostLimited while the host holds us back, anything else for what may succeed another time.
 */
export async function handleDelivery(
  services: Services,
  orgId: string,
  { event, body, receivedAt }: Delivery,
  isLastTry: boolean,
): Promise<void> {
  const handle = Object.hasOwn(handlers, event) ? handlers[event] : undefined;
  const payload = payloadOf(body);
  if (handle && payload) await handle({ services, orgId, payload, receivedAt, isLastTry });
}

const handlers: Readonly<Record<string, (work: Work) => Promise<void>>> = {
  installation: handleInstallation,
  installation_repositories: handleSelection,
  repository: handleRepository,
  push: handlePush,
  delete: handleDelete,
  pull_request: handlePullRequest,
  pull_request_review: handleReview,
  code_scanning_alert: handleCodeAlert,
  dependabot_alert: handleDependencyAlert,
  secret_scanning_alert: handleSecretAlert,
};

const installationEvent = z.object({ action: z.string(), installation: z.unknown() });

async function handleInstallation({ services, orgId, payload, receivedAt }: Work): Promise<void> {
  const { action, installation } = installationEvent.parse(payload);
  const { id, permissions } = installationFrom(installation);
  const change: Readonly<Record<string, (tx: Tx) => Promise<void>>> = {
    created: (tx) => requestSync(services, tx, orgId, id),
    deleted: (tx) => forgetInstallation(services, tx, orgId, id, receivedAt),
    suspend: (tx) => suspendInstallation(services, tx, orgId, id),
    unsuspend: (tx) => unsuspendInstallation(services, tx, orgId, id),
    new_permissions_accepted: async (tx) => {
      await grantPermissions(services, tx, orgId, id, permissions);
      await queueAlertsOf(services, tx, orgId, id);
    },
  };
  const apply = Object.hasOwn(change, action) ? change[action] : undefined;
  if (apply) await services.database.withOrg(orgId, apply);
}

const selectionEvent = z.object({
  installation: z.object({ id: hostId }),
  repositories_added: z.array(z.unknown()).default([]),
  repositories_removed: z.array(z.object({ id: hostId })).default([]),
});

async function handleSelection({ services, orgId, payload }: Work): Promise<void> {
  const { installation, repositories_added: added, repositories_removed: removed } = selectionEvent.parse(payload);
  const { database, realtime } = services;
  await database.withOrg(orgId, async (tx) => {
    const ids = removed.map(({ id }) => id);
    await removeRepositories(services, tx, orgId, ids);
    // The payload names new ones without their default branch.
    if (added.length > 0) await requestSync(services, tx, orgId, installation.id);
    tx.afterCommit(() => realtime.tell(orgId, 'orgRepos', {}));
  });
}

const repositoryEvent = z.object({
  action: z.string(),
  installation: z.object({ id: hostId }),
  repository: z.unknown(),
});

async function handleRepository({ services, orgId, payload }: Work): Promise<void> {
  const { action, installation, repository } = repositoryEvent.parse(payload);
  const found = repositoryFrom(repository);
  await services.database.withOrg(orgId, async (tx) => {
    if (action === 'created') await saveRepositories(services, tx, orgId, installation.id, [found]);
    else if (action === 'deleted') await removeRepositories(services, tx, orgId, [found.id]);
    else await updateRepository(services, tx, orgId, found);
    tx.afterCommit(() => services.realtime.tell(orgId, 'orgRepos', {}));
  });
}
