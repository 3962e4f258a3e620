import type { ConnectableHost, HostConnection, HostState } from '@sightline/contract/sources/host-connections.ts';
import { sql } from 'kysely';
import { Conflict, NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { ConnectableHost, GrantedHost } from '#providers/connectable.ts';
import { summarizeHooks } from '../host-hooks/queries.ts';
import { listInstallations } from '../installations/queries.ts';

/** The connection options of a code host for an organization. Throws 404 if it cannot be connected. */
export async function findConnectableHost(
  { connectable }: Pick<Services, 'connectable'>,
  orgId: string,
  provider: ConnectableHost,
): Promise<ConnectableHost> {
  const host = await connectable[provider]?.(orgId);
  if (!host) throw NotFound('Code host');
  return host;
}

const grantsOf = ({ db }: Tx, orgId: string, provider: ConnectableHost) =>
  db
    .selectFrom('code_host_grant')
    .where('org_id', '=', orgId)
    .where('provider', '=', provider)
    .where('ended_at', 'is', null)
    .select(['id', 'kind', 'base_url', 'login', 'display', 'created_at', 'failure', 'missing'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1);

export type ActiveGrant = NonNullable<Awaited<ReturnType<typeof maybeGrant>>>;

/** The current grant of a host, optionally locked for update. */
export const maybeGrant = (tx: Tx, orgId: string, provider: ConnectableHost, lock = false) =>
  grantsOf(tx, orgId, provider)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();

/** The current grant of a host. Throws 409 if the host is not connected. */
export async function findGrant(tx: Tx, orgId: string, provider: ConnectableHost, lock = false): Promise<ActiveGrant> {
  const grant = await maybeGrant(tx, orgId, provider, lock);
  if (!grant) throw Conflict('It is not connected. Connect it first.');
  return grant;
}

/** Opens the host with the current grant. Throws 409 if the host is not connected. */
export async function openConnectedHost(
  services: Services,
  orgId: string,
  provider: ConnectableHost,
): Promise<GrantedHost> {
  const host = await findConnectableHost(services, orgId, provider);
  const { id } = await services.database.withOrg(orgId, (tx) => findGrant(tx, orgId, provider));
  const grant = await services.grants.find(orgId, id, host.renew);
  if (!grant) throw Conflict('It is not connected. Connect it first.');
  return host.open(grant.baseUrl, grant.secret);
}

/** The connection options of a host and its connection. */
export async function loadHostState(
  services: Services,
  tx: Tx,
  orgId: string,
  provider: ConnectableHost,
): Promise<HostState> {
  const { defaultURL, selfManaged, takesEmail, sandboxPage, oauth } = await findConnectableHost(
    services,
    orgId,
    provider,
  );
  return {
    provider,
    defaultURL,
    selfManaged,
    acceptsEmail: takesEmail,
    oauth: oauth !== undefined,
    sandboxPage: sandboxPage ?? null,
    connection: await maybeConnection(tx, orgId, provider),
  };
}

/** The connection of a host; null if it is not connected. */
export async function maybeConnection(
  tx: Tx,
  orgId: string,
  provider: ConnectableHost,
): Promise<HostConnection | null> {
  const grant = await maybeGrant(tx, orgId, provider);
  if (!grant) return null;
  const { refused, failure } = await summarizeHooks(tx, orgId, provider);
  return {
    kind: grant.kind as HostConnection['kind'],
    baseURL: grant.base_url,
    login: grant.login,
    display: grant.display,
    connectedAt: grant.created_at.toISOString(),
    failure: grant.failure,
    missing: grant.missing,
    workspaces: await listSelectedScopes(tx, orgId, provider),
    webhooks: { created: await countHooks(tx, orgId, provider), failed: refused, failure },
  };
}

/** The selected host scopes, sorted by path, with their numbers of repositories. */
export async function listSelectedScopes(
  tx: Tx,
  orgId: string,
  provider: ConnectableHost,
): Promise<HostConnection['workspaces']> {
  const rows = await listInstallations(tx, orgId, provider);
  return rows.map(({ installation_id: id, account_login: path, html_url: url, repositories }) => ({
    id,
    path,
    url: url ?? '',
    repositories,
  }));
}

async function countHooks({ db }: Tx, orgId: string, provider: ConnectableHost): Promise<number> {
  const { made } = await db
    .selectFrom('code_host_hook as h')
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'h.org_id').onRef('r.id', '=', 'h.repository_id'),
    )
    .where('h.org_id', '=', orgId)
    .where('r.provider', '=', provider)
    .where('h.host_hook_id', 'is not', null)
    .select(sql<number>`count(*)::int`.as('made'))
    .executeTakeFirstOrThrow();
  return made;
}
