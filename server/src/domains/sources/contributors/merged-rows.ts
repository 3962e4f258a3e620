import type { Tx } from '#database/database.ts';
import { type PersonLink, personGroupsOf, personLinksOf } from './groups.ts';

/** A contributor that lists show within another contributor of the same repository. */
export interface MergedContributor {
  person: string;
  shown: string;
  source: PersonLink['source'];
}

/**
 * The contributors of a repository that lists show within another one. A group with two accounts stays unmerged,
 * because the account of its other contributors is ambiguous.
 */
export async function mergedContributorsOf(tx: Tx, orgId: string, repositoryId: string): Promise<MergedContributor[]> {
  const links = await personLinksOf(tx, orgId, repositoryId);
  if (links.length === 0) return [];
  const groups = personGroupsOf(links);
  const rows = await tx.query<{ id: string; account: boolean }>({
    name: 'contributors.grouped',
    text: `select c.person_id as id, exists (
             select from identity i where i.org_id = $1 and i.person_id = c.person_id and i.kind = 'account') as account
           from contributor c where c.org_id = $1 and c.repository_id = $2 and c.person_id = any($3::uuid[])
           order by c.commits desc, c.person_id`,
    values: [orgId, repositoryId, [...groups.keys()]],
  });
  const mailmap = links.filter(({ source }) => source === 'mailmap');
  const proper = new Set(mailmap.map(({ sameAs }) => sameAs));
  const byMailmap = personGroupsOf(mailmap);
  return [...Map.groupBy(rows, ({ id }) => groups.get(id)).values()].flatMap((members) => {
    const [account, another] = members.filter((member) => member.account);
    if (another) return [];
    const shown = account ?? members.find(({ id }) => proper.has(id)) ?? members[0];
    return members.flatMap(({ id }): MergedContributor[] => {
      if (!shown || id === shown.id) return [];
      return [{ person: id, shown: shown.id, source: byMailmap.get(id)?.includes(shown.id) ? 'mailmap' : 'owner' }];
    });
  });
}
