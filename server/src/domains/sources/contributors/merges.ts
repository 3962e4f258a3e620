import type { ContributorMerge, MergeParty } from '@sightline/contract/sources/contributor-merges.ts';
import type { Tx } from '#database/database.ts';
import { personGroupsOf, personLinksOf } from './groups.ts';

const MAX_SUGGESTIONS = 50;

interface PartyRow {
  [column: string]: unknown;
  id: string;
  account: string | null;
  name: string;
  email: string;
  login: string | null;
  commits: number;
  last_commit: Date;
}

/** Suggested merges of contributors of a repository, then decided merges, latest first. */
export async function listContributorMergesOf(
  tx: Tx,
  orgId: string,
  repositoryId: string,
): Promise<ContributorMerge[]> {
  const decided = await decidedOf(tx, orgId, repositoryId);
  return [...(await suggestedOf(tx, orgId, repositoryId)), ...decided];
}

const partyColumns = `c.person_id as id, c.name, c.email, c.login, c.commits, c.last_commit,
  (select i.value from identity i where i.org_id = $1 and i.person_id = c.person_id and i.kind = 'account' limit 1) as account`;

async function suggestedOf(tx: Tx, orgId: string, repositoryId: string): Promise<ContributorMerge[]> {
  const rows = await tx.query<PartyRow & { folded: string }>({
    name: 'contributors.alike',
    text: `with named as materialized (
             select c.*, lower(regexp_replace(btrim(c.name), '\\s+', ' ', 'g')) as folded
             from contributor c join person p on p.org_id = $1 and p.id = c.person_id and p.erased_at is null
             where c.org_id = $1 and c.repository_id = $2
           ), alike as (
             select folded from named where folded like '% %' group by folded having count(*) > 1 order by folded limit ${MAX_SUGGESTIONS}
           )
           select ${partyColumns}, c.folded from named c join alike a on a.folded = c.folded
           order by c.folded, c.commits desc, c.person_id limit ${MAX_SUGGESTIONS * 4}`,
    values: [orgId, repositoryId],
  });
  if (rows.length === 0) return [];
  const groups = personGroupsOf(await personLinksOf(tx, orgId, repositoryId));
  const decided = await pairsDecided(
    tx,
    orgId,
    rows.map(({ id }) => id),
  );
  const isOpen = (one: PartyRow, other: PartyRow) =>
    (one.account === null || other.account === null) &&
    groups.get(one.id)?.includes(other.id) !== true &&
    !decided.has(pairKey(one.id, other.id));
  return [...Map.groupBy(rows, ({ folded }) => folded).values()]
    .flatMap((alike) => alike.flatMap((one, index) => alike.slice(index + 1).map((other) => [one, other] as const)))
    .filter(([one, other]) => isOpen(one, other))
    .slice(0, MAX_SUGGESTIONS)
    .map(([one, other]) => ({
      id: null,
      decision: 'suggested' as const,
      decidedAt: null,
      contributors: [partyOf(one), partyOf(other)],
    }));
}

const pairKey = (...persons: [string, string]): string => persons.sort().join(' ');

async function pairsDecided(tx: Tx, orgId: string, persons: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ person_id: string; other_id: string }>({
    name: 'contributors.decidedPairs',
    text: `select person_id, other_id from contributor_merge
           where org_id = $1 and person_id = any($2::uuid[]) and other_id = any($2::uuid[])`,
    values: [orgId, persons],
  });
  return new Set(rows.map(({ person_id: one, other_id: other }) => pairKey(one, other)));
}

async function decidedOf(tx: Tx, orgId: string, repositoryId: string): Promise<ContributorMerge[]> {
  const rows = await tx.query<PartyRow & { merge: string; decision: 'merged' | 'dismissed'; decided_at: Date }>({
    name: 'contributors.decided',
    text: `select m.id as merge, m.decision, m.decided_at, ${partyColumns}
           from contributor_merge m
           join contributor c on c.org_id = $1 and c.repository_id = $2 and c.person_id in (m.person_id, m.other_id)
           where m.org_id = $1 order by m.decided_at desc, m.id, c.commits desc, c.person_id`,
    values: [orgId, repositoryId],
  });
  return [...Map.groupBy(rows, ({ merge }) => merge).values()].flatMap(([one, other]): ContributorMerge[] => {
    // If only one of the two contributes here, another repository lists the decision.
    if (!one || !other) return [];
    const { merge: id, decision, decided_at: decidedAt } = one;
    return [{ id, decision, decidedAt: decidedAt.toISOString(), contributors: [partyOf(one), partyOf(other)] }];
  });
}

const partyOf = (row: PartyRow): MergeParty => ({
  id: row.id,
  user_id: row.account,
  name: row.name,
  email: row.email,
  githubName: row.login,
  commits: row.commits,
  lastCommit: row.last_commit.toISOString(),
});
