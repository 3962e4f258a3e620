import type { Tx } from '#database/database.ts';

export interface PersonDisplay {
  id: string;
  name: string;
  picture: string | null;
}

/** Returns the display data of persons: of their account, else of their commits, else "Unknown person". */
export async function loadPersonDisplays(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<(id: string) => PersonDisplay> {
  const rows =
    ids.length === 0
      ? []
      : await tx.query<PersonDisplay>({
          name: 'tools.persons',
          text: `select p.id, coalesce(a.name, c.name, i.display, i.value) as name, coalesce(a.picture, i.picture) as picture
                 from unnest($2::uuid[]) as p(id)
                 left join lateral (
                   select n.value from identity n where n.org_id = $1 and n.person_id = p.id and n.kind = 'account' limit 1
                 ) k on true
                 left join account a on a.id = k.value::uuid
                 left join committer c on c.org_id = $1 and c.person_id = p.id
                 left join lateral (
                   select n.display, n.value, n.picture from identity n
                   where n.org_id = $1 and n.person_id = p.id and n.kind <> 'account'
                   order by n.picture is null, n.display is null, n.kind, n.value limit 1
                 ) i on true`,
          values: [orgId, [...new Set(ids)]],
        });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return (id) => {
    const { name, picture } = byId.get(id) ?? { name: null, picture: null };
    return { id, name: name ?? 'Unknown person', picture };
  };
}
