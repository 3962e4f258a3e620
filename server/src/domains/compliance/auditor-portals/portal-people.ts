import { type PortalPerson, pseudonymOf } from '@sightline/contract/compliance/portal-changes.ts';
import type { Actor } from '#core/actor.ts';
import type { PortalActor } from '#core/auditor-portals.ts';
import { type ExportColumns, exportTextOf, recordExport } from '#core/exports.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { namesOfPersons } from '../changes/queries.ts';
import { openPortalBundle } from './opened-bundle.ts';
import { findPortal } from './queries.ts';

/** Names persons for a portal: with current names or with pseudonyms only, as the portal was created. */
export const peopleOfPortal = (
  { database }: Services,
  { orgId, portal }: PortalActor,
  persons: readonly string[],
): Promise<PortalPerson[]> =>
  portal.people === 'names'
    ? database.withOrg(orgId, (tx) => namedPeople(tx, orgId, persons))
    : Promise.resolve(pseudonyms(persons));

/** Returns persons with their current names; null if their data is deleted. */
async function namedPeople(tx: Tx, orgId: string, persons: readonly string[]): Promise<PortalPerson[]> {
  const nameOf = await namesOfPersons(tx, orgId, persons.filter(isId));
  return persons.map((id) => ({ id, pseudonym: pseudonymOf(id), name: isId(id) ? nameOf(id) : null }));
}

const pseudonyms = (persons: readonly string[]): PortalPerson[] =>
  persons.map((id) => ({ id, pseudonym: pseudonymOf(id), name: null }));

// Bundles may contain IDs of other forms from imported records.
const isId = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

/**
 * Exports the key of the pseudonyms: every person in the bundles of a portal with the current name. Throws 404, and 409
 * until the bundles are ready.
 */
export async function exportPeople(services: Services, actor: Actor, portalId: string): Promise<FileAnswer> {
  const { orgId } = actor;
  const portal = await services.database.withOrg(orgId, (tx) => findPortal(tx, orgId, portalId));
  const ids = new Set<string>();
  for (const { id } of portal.snapshots) {
    const bundle = await openPortalBundle(services, { orgId, portal }, id);
    for (const one of bundle.ids()) ids.add(one);
  }
  return services.database.withOrg(orgId, async (tx) => {
    const rows = await tx.query<{ id: string }>({
      name: 'portals.persons',
      text: 'select id from person where org_id = $1 and id = any($2::uuid[]) order by id',
      values: [orgId, [...ids]],
    });
    const people = await namedPeople(
      tx,
      orgId,
      rows.map(({ id }) => id),
    );
    const fileOf = await recordExport(tx, services, actor, {
      of: 'auditor-portal-people',
      format: 'csv',
      entry: {
        action: 'portal.people_exported',
        subject: { kind: 'portal', id: portalId },
        data: { name: portal.name, people: people.length },
      },
    });
    return fileOf(exportTextOf('csv', columns, batchesOf(people)), people.length);
  });
}

async function* batchesOf(people: PortalPerson[]): AsyncGenerator<PortalPerson[]> {
  yield people;
}

const columns: ExportColumns<PortalPerson> = {
  pseudonym: ({ pseudonym }) => pseudonym,
  id: ({ id }) => id,
  name: ({ name }) => name ?? 'Deleted person',
};
