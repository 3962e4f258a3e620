import type { ConnectableHost, HostState } from '@sightline/contract/sources/host-connections.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import { Invalid } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { GrantHolder } from '#providers/connectable.ts';
import type { NewGrant } from '#providers/grants.ts';
import { queueRepositorySync } from '../code-hosts/commands.ts';
import { queueFailedImports } from '../imports/commands.ts';
import { deleteUnusedGrant, unbindInstallation } from '../installations/commands.ts';
import { queueReconciles } from '../reconcile/commands.ts';
import { type ActiveGrant, findConnectableHost, listSelectedScopes, loadHostState, maybeGrant } from './queries.ts';
import { hostRefusal } from './refusals.ts';

/** A member, or the operator in the name of an account. */
export type HostManager = Pick<Actor, 'orgId' | 'accountId'> & AuditActor;

interface ConnectionInput {
  baseURL?: string | undefined;
  token: string;
  email?: string | undefined;
  workspace?: string | undefined;
}

/** Connects a host with a token, or replaces the token of a connection. Verifies the token before storing it. */
export async function connectByToken(
  services: Services,
  actor: HostManager,
  provider: ConnectableHost,
  input: ConnectionInput,
): Promise<HostState> {
  const host = await findConnectableHost(services, actor.orgId, provider);
  const requestedUrl = host.selfManaged ? input.baseURL || host.defaultURL : host.defaultURL;
  const baseUrl = host.baseURLFrom(requestedUrl);
  if (baseUrl === undefined) throw Invalid('baseURL', 'must be the URL of the host, such as https://code.example.com');
  // The address of a host that is not self-managed is configured by the operator.
  if (host.selfManaged) await services.outboundFor(actor.orgId, 'code-host').check('baseURL', baseUrl);
  const { secret, display } = host.tokenFrom(input.token, input.email || undefined, input.workspace || undefined);
  const holder = await host
    .open(baseUrl, async () => secret)
    .look()
    .catch((error: unknown) => {
      throw hostRefusal(error, 'token');
    });
  const grant: NewGrant = {
    provider,
    baseUrl,
    kind: 'token',
    login: holder.login,
    display,
    secret,
    refresh: null,
    expiresAt: null,
    scopes: holder.scopes ?? [],
  };
  return services.database.withOrg(actor.orgId, async (tx) => {
    await storeGrant(services, tx, actor, { provider, grant, holder });
    return loadHostState(services, tx, actor.orgId, provider);
  });
}

/**
 * Stores a grant as the connection to a host. Selected host scopes of the same URL move to the new grant; those of
 * another URL are disconnected.
 */
export async function storeGrant(
  services: Services,
  tx: Tx,
  actor: HostManager,
  { provider, grant, holder }: { provider: ConnectableHost; grant: NewGrant; holder: GrantHolder },
): Promise<void> {
  const { orgId, accountId } = actor;
  await lockOrganization(tx, orgId);
  const former = await maybeGrant(tx, orgId, provider, true);
  const id = await services.grants.save(tx, orgId, accountId, grant);
  if (former) await replaceGrant(services, tx, actor, { provider, former, next: { id, baseUrl: grant.baseUrl } });
  const entryId = await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor,
    entry: {
      action: former ? 'integration.changed' : 'integration.connected',
      subject: { kind: 'installation', id: provider },
      data: {
        provider,
        account: grant.login,
        ...(former && { before: { baseURL: former.base_url, kind: former.kind, display: former.display } }),
        after: { connected: true, baseURL: grant.baseUrl, kind: grant.kind, display: grant.display },
      },
    },
  });
  await tx.db
    .updateTable('code_host_grant')
    .set({ missing: holder.missing, connection_entry: entryId })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgIntegrations', { provider }));
}

// Two concurrent connections would otherwise store two grants.
const lockOrganization = async ({ db }: Tx, orgId: string): Promise<void> => {
  await db.selectFrom('organization').where('id', '=', orgId).select('id').forNoKeyUpdate().execute();
};

async function replaceGrant(
  services: Services,
  tx: Tx,
  actor: HostManager,
  { provider, former, next }: { provider: ConnectableHost; former: ActiveGrant; next: { id: string; baseUrl: string } },
): Promise<void> {
  const { orgId } = actor;
  if (former.base_url !== next.baseUrl) return endGrant(services, tx, actor, { provider, grant: former });
  await tx.db
    .updateTable('installation')
    .set({ grant_id: next.id })
    .where('org_id', '=', orgId)
    .where('provider', '=', provider)
    .where('grant_id', '=', former.id)
    .execute();
  for (const { id: installationId } of await listSelectedScopes(tx, orgId, provider)) {
    await queueRepositorySync(services, tx, orgId, { provider, installationId });
    // An import ends when the host rejects its token.
    await queueFailedImports(services, tx, orgId, { provider, installationId });
    // What webhooks reported meanwhile could not be read.
    await queueReconciles(services, tx, orgId, { providers: [provider], installationId });
  }
  await endGrant(services, tx, actor, { provider, grant: former, withPicked: false });
}

/** Ends a grant. Its secrets are deleted once no webhook must be removed with them. */
async function endGrant(
  services: Services,
  tx: Tx,
  actor: HostManager,
  {
    provider,
    grant,
    withPicked = true,
  }: { provider: ConnectableHost; grant: ActiveGrant; withPicked?: boolean | undefined },
): Promise<void> {
  const { orgId } = actor;
  const picked = withPicked ? await listSelectedScopes(tx, orgId, provider) : [];
  for (const { id } of picked) {
    await unbindInstallation(services, tx, orgId, { key: { provider, installationId: id }, actor });
  }
  await tx.db
    .updateTable('code_host_grant')
    .set({ ended_at: sql<Date>`now()` })
    .where('org_id', '=', orgId)
    .where('id', '=', grant.id)
    .execute();
  if (picked.length === 0) await deleteUnusedGrant(services, tx, orgId, grant.id);
}

/** Disconnects a host. Does nothing if it is not connected. */
export const disconnectCodeHost = (services: Services, actor: HostManager, provider: ConnectableHost): Promise<null> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId } = actor;
    await findConnectableHost(services, orgId, provider);
    const grant = await maybeGrant(tx, orgId, provider, true);
    if (!grant) return null;
    await endGrant(services, tx, actor, { provider, grant });
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'integration.disconnected',
        subject: { kind: 'installation', id: provider },
        data: { provider, account: grant.login, before: { connected: true }, after: { connected: false } },
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgIntegrations', { provider }));
    return null;
  });
