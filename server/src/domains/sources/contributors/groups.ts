import type { Tx } from '#database/database.ts';

/** Two persons that the `.mailmap` of a repository or an Account Owner declared to be the same. */
export interface PersonLink {
  person: string;
  sameAs: string;
  source: 'mailmap' | 'owner';
}

/** The links of a repository, or of all if null. Former person IDs are resolved to current ones. */
export async function personLinksOf(tx: Tx, orgId: string, repositoryId: string | null): Promise<PersonLink[]> {
  const rows = await tx.query<{ person: string; same_as: string; source: PersonLink['source'] }>({
    name: repositoryId === null ? 'contributors.allLinks' : 'contributors.links',
    text: `select coalesce(p.merged_into, p.id) as person, coalesce(s.merged_into, s.id) as same_as, l.source
           from (
             select person_id, same_as, 'mailmap' as source from mailmap_link where org_id = $1 ${repositoryId === null ? '' : 'and repository_id = $2'}
             union all
             select person_id, other_id, 'owner' from contributor_merge where org_id = $1 and decision = 'merged'
           ) l
           join person p on p.org_id = $1 and p.id = l.person_id
           join person s on s.org_id = $1 and s.id = l.same_as
           order by 3, 2, 1`,
    values: repositoryId === null ? [orgId] : [orgId, repositoryId],
  });
  return rows
    .map(({ person, same_as: sameAs, source }) => ({ person, sameAs, source }))
    .filter(({ person, sameAs }) => person !== sameAs);
}

/** The sorted group of linked persons, keyed by each person in it. */
export function personGroupsOf(
  links: readonly Pick<PersonLink, 'person' | 'sameAs'>[],
): Map<string, readonly string[]> {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up;
    for (let at = id; at !== root; ) {
      const up = parents.get(at) ?? root;
      parents.set(at, root);
      at = up;
    }
    return root;
  };
  for (const { person, sameAs } of links) {
    const [one, other] = [rootOf(person), rootOf(sameAs)];
    parents.set(one, other);
    parents.set(other, other);
  }
  const byRoot = Map.groupBy([...parents.keys()].sort(), rootOf);
  return new Map([...byRoot.values()].flatMap((group) => group.map((id) => [id, group] as const)));
}
