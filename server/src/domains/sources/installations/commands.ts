import { type Provider, providerNames } from '@sightline/contract/core/providers.ts';
import type { AuditAction } from '@sightline/contract/organization/audit-actions.ts';
import { sql, type UpdateObject } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { type AuditActor, type AuditEntry, recordAuditEntry } from '#core/audit.ts';
import type { Services } from '#core/services.ts';
import type { Tables, Tx } from '#database/database.ts';
import { type NewNotification, raiseNotifications } from '../../delivery/notifications/commands.ts';
import { queueRepositorySync } from '../code-hosts/commands.ts';
import { queueHookRemoval } from '../host-hooks/commands.ts';
import { recordListedRepositories } from '../repositories/commands.ts';
import { type InstallationKey, maybeInstallation } from './queries.ts';

/** A selected group or workspace with the grant for its access. */
export interface SelectedScope {
  grantId: string;
  /** The path on the host: `acme/platform`. */
  login: string;
  /** The URL of its page on the host. */
  url: string;
}

/** Connects a selected host scope, or replaces its grant. A job lists its repositories. */
export async function bindInstallation(
  services: Services,
  tx: Tx,
  actor: Pick<Actor, 'orgId' | 'accountId'> & AuditActor,
  {
    installationKey: { provider, installationId },
    picked: { grantId, login, url },
  }: { installationKey: InstallationKey; picked: SelectedScope },
): Promise<void> {
  const { orgId, accountId } = actor;
  const known = await maybeInstallation(tx, orgId, provider, installationId);
  const current = { account_login: login, html_url: url, grant_id: grantId, deleted_at: null };
  await tx.db
    .insertInto('installation')
    .values({
      org_id: orgId,
      provider,
      installation_id: installationId,
      created_by: accountId,
      ...current,
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'provider', 'installation_id']).doUpdateSet(current))
    .execute();
  if (known?.grantId && known.grantId !== grantId) await deleteUnusedGrant(services, tx, orgId, known.grantId);
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor,
    entry: {
      action: known ? 'integration.changed' : 'integration.connected',
      subject: { kind: 'installation', id: installationId },
      data: { provider, account: login, after: { connected: true } },
    },
  });
  await queueRepositorySync(services, tx, orgId, { provider, installationId });
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgIntegrations', { provider }));
}

/**
 * Records that an installation was disconnected, by `doer` or else by the host. `at`: the time of the disconnection at
 * the host; an installation bound after it remains. A job removes its webhooks.
 */
export async function unbindInstallation(
  services: Services,
  tx: Tx,
  orgId: string,
  { key, actor, at }: { key: InstallationKey; actor?: AuditActor | undefined; at?: Date | undefined },
): Promise<boolean> {
  const { provider, installationId } = key;
  const installationChange = {
    action: 'integration.disconnected',
    change: { deleted_at: sql<Date>`now()` },
    data: { before: { connected: true }, after: { connected: false } },
    boundBefore: at,
    actor,
  } as const;
  if (!(await changeInstallation(services, tx, orgId, { installationKey: key, installationChange }))) return false;
  await recordListedRepositories(tx, orgId, {
    which: { provider, installationId },
    work: () =>
      tx.db
        .updateTable('repository')
        .set({ removed_at: sql<Date>`now()` })
        .where('org_id', '=', orgId)
        .where('provider', '=', provider)
        .where('installation_id', '=', installationId)
        .where('removed_at', 'is', null)
        .execute(),
  });
  if (provider !== 'github') await queueHookRemoval(services, tx, orgId, { installationKey: key });
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgRepos', {}));
  return true;
}

/** Deletes a grant that no installation uses and that no webhook must be removed with. */
export async function deleteUnusedGrant(
  { grants }: Pick<Services, 'grants'>,
  tx: Tx,
  orgId: string,
  grantId: string,
): Promise<void> {
  const using = await tx.query<{ installation_id: string }>({
    name: 'installations.using-grant',
    text: `select i.installation_id from installation i
           where i.org_id = $1 and i.grant_id = $2 and (i.deleted_at is null or exists (
             select from repository r join code_host_hook h on h.org_id = r.org_id and h.repository_id = r.id
             where r.org_id = $1 and r.provider = i.provider and r.installation_id = i.installation_id
               and h.host_hook_id is not null and h.failed_at is null))
           limit 1`,
    values: [orgId, grantId],
  });
  if (using.length === 0) await grants.forget(tx, orgId, grantId);
}

export interface InstallationChange {
  action: Extract<AuditAction, `integration.${string}`>;
  change: UpdateObject<Tables, 'installation'>;
  data: NonNullable<AuditEntry['data']>;
  boundBefore?: Date | undefined;
  /** The host if undefined. */
  actor?: AuditActor | undefined;
}

/** Updates an installation with audit entry and notifications. Returns whether the installation exists. */
export async function changeInstallation(
  services: Services,
  tx: Tx,
  orgId: string,
  {
    installationKey: { provider, installationId },
    installationChange: { action, change, data, boundBefore, actor = { integration: provider } },
  }: { installationKey: InstallationKey; installationChange: InstallationChange },
): Promise<boolean> {
  const changed = await tx.db
    .updateTable('installation')
    .set(change)
    .where('org_id', '=', orgId)
    .where('provider', '=', provider)
    .where('installation_id', '=', installationId)
    .where('deleted_at', 'is', null)
    .$if(boundBefore !== undefined, (query) => query.where('created_at', '<=', boundBefore ?? new Date()))
    .returning('account_login')
    .executeTakeFirst();
  if (!changed) return false;
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor,
    entry: {
      action,
      subject: { kind: 'installation', id: installationId },
      data: { provider, account: changed.account_login, ...data },
    },
  });
  await raiseNotifications(services, tx, orgId, {
    actor,
    notifications: notificationsOf(action, provider, changed.account_login, actor),
  });
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgIntegrations', { provider }));
  return true;
}

/** The notifications of a change by the host. A change by a member causes none. */
function notificationsOf(
  action: AuditAction,
  provider: Provider,
  account: string,
  actor: AuditActor,
): NewNotification[] {
  const name = `${providerNames[provider]} (${account})`;
  const self = { key: `${provider}:${account}`, name, category: 'source-code-management' };
  const failed = (message: string) => [{ type: 'integration.failed' as const, ...self, message }];
  if (!('integration' in actor)) return [];
  if (action === 'integration.suspended')
    return failed('It was suspended there. No new data is imported until it is resumed.');
  if (action === 'integration.disconnected') return failed('It was removed there. Connect it again to continue.');
  return action === 'integration.resumed' ? [{ type: 'integration.recovered', ...self }] : [];
}
