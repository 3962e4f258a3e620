import { namedIdOf, nameField } from '@sightline/evidence/bundle/names.ts';
import { repositoryIdsOf, repositoryKinds } from '@sightline/evidence/bundle/repositories.ts';
import type { BundleScope, PlacedDisclosure, PlacedEntry } from '@sightline/evidence/bundle/scope.ts';
import { disclosureOf, openDisclosure, parseEntry } from '@sightline/evidence/ledger/entry.ts';
import type { PersonalField } from '#core/ledger.ts';
import type { PersonRegistry } from '#core/people.ts';
import type { Tx } from '#database/database.ts';
import { namesOfPersons } from '../changes/queries.ts';

type PlacedText = Pick<PlacedEntry, 'index' | 'entry'>;

/** Returns the openings of the names of repositories in scope, of each entry about them. */
export async function repositoryDisclosures(
  tx: Tx,
  orgId: string,
  entries: readonly PlacedText[],
  { repositories }: Pick<BundleScope, 'repositories'>,
): Promise<PlacedDisclosure[]> {
  const about = entries
    .filter(({ entry }) => repositoryKinds.some((kind) => entry.includes(`"kind":"${kind}"`)))
    .map(({ index, entry }) => ({ ...parseEntry(entry), index }))
    .filter(({ kind }) => repositoryKinds.includes(kind));
  const rows = await tx.query<{ entry: string; repository: string; disclosure: string }>({
    name: 'snapshots.repository-names',
    text: `select entry_id as entry, repository_id as repository, disclosure from repository_disclosure
           where org_id = $1 and entry_id = any($2::uuid[]) and ($3::uuid[] is null or repository_id = any($3))`,
    values: [orgId, about.map(({ id }) => id), repositories],
  });
  const openings = new Map(rows.map(({ entry, repository, disclosure }) => [`${entry} ${repository}`, disclosure]));
  return about.flatMap((entry) =>
    repositoryIdsOf(entry).flatMap((id) => {
      const disclosure = openings.get(`${entry.id} ${id}`);
      return disclosure === undefined ? [] : [{ index: entry.index, disclosure }];
    }),
  );
}

/** The last disclosed name of each repository, by ID. */
export function repositoryNamesOf(
  entries: readonly PlacedText[],
  disclosures: readonly PlacedDisclosure[],
): ReadonlyMap<string, string> {
  const texts = new Map(entries.map(({ index, entry }) => [index, entry]));
  return new Map(
    disclosures
      .toSorted((one, other) => one.index - other.index)
      .flatMap(({ index, disclosure }) => {
        const { field, value } = openDisclosure(parseEntry(texts.get(index) ?? ''), disclosure);
        const id = namedIdOf(field);
        return id === undefined || typeof value !== 'string' ? [] : [[id, value] as const];
      }),
  );
}

const uuidPattern = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/** Adds the UUIDs in texts to a set, among them opaque IDs of persons. */
export function addUuids(texts: Iterable<string>, into: Set<string>): void {
  for (const text of texts) {
    for (const id of text.match(uuidPattern) ?? []) {
      // A copy: V8 keeps the whole text in memory for a part of it.
      if (!into.has(id)) into.add(Buffer.from(id, 'latin1').toString('latin1'));
    }
  }
}

/** Stores the current names of everyone whose opaque ID is among these of a snapshot. */
export async function storePersonNames(
  tx: Tx,
  orgId: string,
  snapshotId: string,
  ids: ReadonlySet<string>,
): Promise<void> {
  const persons = await tx.query<{ id: string }>({
    name: 'snapshots.persons',
    text: 'select id from person where org_id = $1 and id = any($2::uuid[]) order by id',
    values: [orgId, [...ids]],
  });
  const nameOf = await namesOfPersons(
    tx,
    orgId,
    persons.map(({ id }) => id),
  );
  const named = persons.flatMap(({ id }) => {
    const name = nameOf(id);
    return name === null ? [] : [{ id, name }];
  });
  await tx.query({
    name: 'snapshots.store-names',
    text: `insert into snapshot_name (org_id, snapshot_id, person_id, name)
           select $1, $2, n.id, n.name from unnest($3::uuid[], $4::text[]) as n(id, name)`,
    values: [orgId, snapshotId, named.map(({ id }) => id), named.map(({ name }) => name)],
  });
}

/** The stored names of persons whose data was not deleted, as fields under their keys. */
export async function personNameFields(
  tx: Tx,
  people: PersonRegistry,
  orgId: string,
  snapshotId: string,
): Promise<PersonalField[]> {
  const rows = await tx.query<{ person: string; name: string }>({
    name: 'snapshots.names',
    text: `select person_id as person, name from snapshot_name where org_id = $1 and snapshot_id = $2 order by person_id`,
    values: [orgId, snapshotId],
  });
  const keys = await people.keys(
    tx,
    orgId,
    rows.map(({ person }) => person),
  );
  return rows.flatMap(({ person, name }) => {
    const key = keys.get(person);
    return key === undefined ? [] : [{ field: nameField(person), value: name, key }];
  });
}

/** The openings of these names in the ledger entry of the snapshot. */
export const personDisclosures = (
  { index, id }: { index: number; id: string },
  fields: readonly PersonalField[],
): PlacedDisclosure[] =>
  fields.map(({ field, value, key }) => ({ index, disclosure: disclosureOf(id, field, value, new Uint8Array(key)) }));
