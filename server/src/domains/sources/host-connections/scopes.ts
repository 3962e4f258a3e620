import type { ConnectableHost, HostState, HostWorkspace } from '@sightline/contract/sources/host-connections.ts';
import type { Actor } from '#core/actor.ts';
import { Invalid } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { waitAtMost } from '#core/time-limit.ts';
import { syncRepositories } from '../code-hosts/commands.ts';
import { bindInstallation, unbindInstallation } from '../installations/commands.ts';
import type { HostManager } from './connect.ts';
import { findGrant, listSelectedScopes, loadHostState, openConnectedHost } from './queries.ts';
import { hostRefusal } from './refusals.ts';

const LISTING_WAIT_MS = 5_000;

/** The selectable host scopes, with whether they are selected. */
export async function listHostScopes(
  services: Services,
  { orgId }: Pick<Actor, 'orgId'>,
  provider: ConnectableHost,
): Promise<(HostWorkspace & { selected: boolean })[]> {
  const scopes = await readScopes(services, orgId, provider);
  const selected = await services.database.withOrg(orgId, (tx) => listSelectedScopes(tx, orgId, provider));
  const ids = new Set(selected.map(({ id }) => id));
  return scopes.map((scope) => ({ ...scope, selected: ids.has(scope.id) }));
}

/** Replaces the selected host scopes and disconnects the others. Throws 400 for an ID that cannot be selected. */
export async function selectHostScopes(
  services: Services,
  actor: HostManager,
  provider: ConnectableHost,
  ids: readonly string[],
): Promise<HostState> {
  const { orgId } = actor;
  const offered = new Map((await readScopes(services, orgId, provider)).map((scope) => [scope.id, scope]));
  const requested = outermost(ids.map((id) => offered.get(id) ?? unknownPlace(id)));
  const fresh = await services.database.withOrg(orgId, async (tx) => {
    const grant = await findGrant(tx, orgId, provider, true);
    const before = new Set((await listSelectedScopes(tx, orgId, provider)).map(({ id }) => id));
    const added = requested.filter(({ id }) => !before.has(id));
    for (const { id, path, url } of added) {
      const key = { provider, installationId: id };
      await bindInstallation(services, tx, actor, {
        installationKey: key,
        picked: { grantId: grant.id, login: path, url },
      });
    }
    const requestedIds = new Set(requested.map(({ id }) => id));
    for (const id of before) {
      if (!requestedIds.has(id))
        await unbindInstallation(services, tx, orgId, {
          key: { provider, installationId: id },
          actor,
        });
    }
    return added;
  });
  // The repository picker opens next: wait briefly for the repositories. The jobs list the others.
  await syncWithin(services, orgId, provider, fresh);
  return services.database.withOrg(orgId, (tx) => loadHostState(services, tx, orgId, provider));
}

const readScopes = async (services: Services, orgId: string, provider: ConnectableHost): Promise<HostWorkspace[]> => {
  const host = await openConnectedHost(services, orgId, provider);
  const { places } = await host.look().catch((error: unknown) => {
    throw hostRefusal(error);
  });
  return places;
};

const unknownPlace = (id: string): never => {
  throw Invalid('ids', `cannot be selected: ${id.slice(0, 40)}`);
};

/** Drops scopes within another one, whose repositories would otherwise be listed twice. */
function outermost(scopes: readonly HostWorkspace[]): HostWorkspace[] {
  const unique = [...new Map(scopes.map((scope) => [scope.id, scope])).values()];
  return unique.filter(({ path }) => !unique.some((other) => path.startsWith(`${other.path}/`)));
}

async function syncWithin(
  services: Services,
  orgId: string,
  provider: ConnectableHost,
  scopes: readonly HostWorkspace[],
): Promise<void> {
  const all = Promise.all(scopes.map(({ id }) => syncRepositories(services, orgId, provider, id)));
  await waitAtMost(
    LISTING_WAIT_MS,
    all.catch((error: Error) => services.log.warn({ err: error, orgId }, 'repositories will be listed by the job')),
  );
}
