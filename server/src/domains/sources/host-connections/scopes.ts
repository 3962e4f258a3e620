import type { Connectable, HostState, HostWorkspace } from '@sightline/contract/sources/host-connections.ts';
import type { Actor } from '#core/actor.ts';
import { Invalid } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { waitAtMost } from '#core/time-limit.ts';
import { syncRepositories } from '../code-hosts/commands.ts';
import { bindInstallation, forgetInstallation } from '../installations/commands.ts';
import { findGrant, hostState, listPicked, openGrant } from './queries.ts';
import { refusalOf } from './refusals.ts';

const quick = 5_000;

/** What can be picked, by path, and what is. */
export async function listPlaces(
  services: Services,
  { orgId }: Actor,
  provider: Connectable,
): Promise<(HostWorkspace & { selected: boolean })[]> {
  const places = await look(services, orgId, provider);
  const picked = await services.database.withOrg(orgId, (tx) => listPicked(tx, orgId, provider));
  const ids = new Set(picked.map(({ id }) => id));
  return places.map((place) => ({ ...place, selected: ids.has(place.id) }));
}

/** Makes what is picked these, and what lies in none of them no more. Throws 400 for an id that cannot be picked. */
export async function pickPlaces(
  services: Services,
  actor: Actor,
  provider: Connectable,
  ids: readonly string[],
): Promise<HostState> {
  const { orgId } = actor;
  const offered = new Map((await look(services, orgId, provider)).map((place) => [place.id, place]));
  const wanted = outermost(ids.map((id) => offered.get(id) ?? unknownPlace(id)));
  const fresh = await services.database.withOrg(orgId, async (tx) => {
    const grant = await findGrant(tx, orgId, provider, true);
    const before = new Set((await listPicked(tx, orgId, provider)).map(({ id }) => id));
    const added = wanted.filter(({ id }) => !before.has(id));
    for (const { id, path, url } of added) {
      const key = { provider, installationId: id };
      await bindInstallation(services, tx, actor, {
        installationKey: key,
        picked: { grantId: grant.id, login: path, url },
      });
    }
    const kept = new Set(wanted.map(({ id }) => id));
    for (const id of before) {
      if (!kept.has(id))
        await forgetInstallation(services, tx, orgId, {
          key: { provider, installationId: id },
          doer: actor,
        });
    }
    return added;
  });
  // The repository picker comes next: fill it now where that is quick. The jobs do the rest.
  await syncWithin(services, orgId, provider, fresh);
  return services.database.withOrg(orgId, (tx) => hostState(services, tx, orgId, provider));
}

const look = async (services: Services, orgId: string, provider: Connectable): Promise<HostWorkspace[]> => {
  const host = await openGrant(services, orgId, provider);
  const { places } = await host.look().catch((error: unknown) => {
    throw refusalOf(error);
  });
  return places;
};

const unknownPlace = (id: string): never => {
  throw Invalid('ids', `cannot be selected: ${id.slice(0, 40)}`);
};

/** A group holds all below it: picking that as well would list its repositories twice. */
function outermost(places: readonly HostWorkspace[]): HostWorkspace[] {
  const unique = [...new Map(places.map((place) => [place.id, place])).values()];
  return unique.filter(({ path }) => !unique.some((other) => path.startsWith(`${other.path}/`)));
}

async function syncWithin(
  services: Services,
  orgId: string,
  provider: Connectable,
  places: readonly HostWorkspace[],
): Promise<void> {
  const all = Promise.all(places.map(({ id }) => syncRepositories(services, orgId, provider, id)));
  await waitAtMost(
    quick,
    all.catch((error: Error) => services.log.warn({ err: error, orgId }, 'repositories will be listed by the job')),
  );
}
