import type { Tx } from '#database/database.ts';

/** The current name and picture of a person. */
export interface PersonDisplay {
  id: string;
  name: string;
  picture: string | null;
}

interface FoundDisplay {
  name: string | null;
  picture: string | null;
  /** Whether the data of the person was deleted. */
  erased: boolean;
}

/**
 * Returns the name and picture of each person, by the ID that was asked for: every list shows a person by these (SQL
 * function `person_display`). A person whose data was deleted has no name.
 */
export async function findPersonDisplays(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FoundDisplay>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<FoundDisplay & { id: string }>({
    name: 'people.displays',
    text: `select asked.id, d.name, d.picture, d.erased
           from unnest($2::uuid[]) as asked(id) cross join lateral person_display($1, asked.id) d`,
    values: [orgId, [...new Set(ids)]],
  });
  return new Map(rows.map(({ id, ...display }) => [id, display]));
}

/** The same, with a text for persons without a name. */
export async function loadPersonDisplays(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<(id: string) => PersonDisplay> {
  const displays = await findPersonDisplays(tx, orgId, ids);
  return (id) => {
    const { name, picture } = displays.get(id) ?? { name: null, picture: null };
    return { id, name: name ?? 'Unknown person', picture };
  };
}

/** The picture URLs of people, by the ID of their account or person; without those that have none. */
export async function findPicturesOf(tx: Tx, orgId: string, ids: readonly string[]): Promise<Record<string, string>> {
  const rows = await tx.query<{ id: string; picture: string }>({
    name: 'people.pictures',
    text: `select asked.id, d.picture from unnest($2::uuid[]) as asked(id)
           left join lateral (
             select n.person_id from identity n
             where n.org_id = $1 and n.kind = 'account' and n.value = asked.id::text) own on true
           cross join lateral person_display($1, coalesce(own.person_id, asked.id)) d
           where d.picture is not null`,
    values: [orgId, ids],
  });
  return Object.fromEntries(rows.map(({ id, picture }) => [id, picture]));
}
