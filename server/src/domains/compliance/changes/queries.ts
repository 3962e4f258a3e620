import type { ChangePerson } from '@sightline/contract/compliance/changes.ts';
import type { Actor } from '#core/actor.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostAccount } from './accounts.ts';
import { visibleRecords } from './list.ts';
import { loadActorDisplay } from './names.ts';
import type { ChangedPaths } from './rows.ts';
import { branchPatternsOf, findRecordedRepository, type RecordedRepository } from './scope.ts';

export type { ChangeParts } from './parts.ts';

/** The branches of a repository whose changes are recorded: the default branch, and branches in scope with pushes. */
export async function recordedBranches(
  services: Services,
  orgId: string,
  repositoryId: string,
): Promise<{ place: RecordedRepository; branches: string[] } | undefined> {
  const place = await findRecordedRepository(services, orgId, repositoryId);
  if (!place) return undefined;
  const others = await services.database.withOrg(orgId, (tx) => pushedBranches(tx, orgId, repositoryId));
  return { place, branches: [...new Set([place.defaultBranch, ...others])] };
}

async function pushedBranches(tx: Tx, orgId: string, repositoryId: string): Promise<string[]> {
  if ((await branchPatternsOf(tx, orgId)).length === 0) return [];
  const rows = await tx.query<{ branch: string }>({
    name: 'changes.branches',
    text: 'select distinct branch from branch_push where org_id = $1 and repository_id = $2 order by branch',
    values: [orgId, repositoryId],
  });
  return rows.map(({ branch }) => branch);
}

/** The accounts of the persons that each change entry names, including persons who were merged since. */
export const accountsOfChanges = (
  tx: Tx,
  orgId: string,
  entryIds: readonly string[],
): Promise<(HostAccount & { entryId: string })[]> =>
  tx.query<HostAccount & { entryId: string } & Record<string, unknown>>({
    name: 'changes.accounts-of-entries',
    text: `select distinct c.entry_id as "entryId", named.person, i.host_id as "hostId"
           from change_record c
           join repository r on r.org_id = c.org_id and r.id = c.repository_id
           cross join lateral unnest(c.persons) as named(person)
           left join person p on p.org_id = c.org_id and p.id = named.person
           join identity i on i.org_id = c.org_id and i.person_id = coalesce(p.merged_into, named.person)
             and i.kind = r.provider and i.host_id is not null
           where c.org_id = $1 and c.entry_id = any($2::uuid[]) order by 1, 2, 3`,
    values: [orgId, entryIds],
  });

/** Returns the current name of each person; null if their data is deleted. */
export async function namesOfPersons(
  tx: Tx,
  orgId: string,
  persons: readonly string[],
): Promise<(person: string) => string | null> {
  const displayOf = await loadActorDisplay(tx, orgId, persons);
  return (person) => displayOf({ kind: 'human', identity: 'resolved', person }).name;
}

/** Returns the display data of persons by opaque ID. */
export async function displayOfPersons(
  tx: Tx,
  orgId: string,
  persons: readonly string[],
): Promise<(person: string) => ChangePerson> {
  const displayOf = await loadActorDisplay(tx, orgId, persons);
  return (person) => displayOf({ kind: 'human', identity: 'resolved', person });
}

/** Whether a reader sees a change. */
export async function isVisibleChange(tx: Tx, actor: Actor, id: string): Promise<boolean> {
  const row = await visibleRecords(tx, actor).where('c.id', '=', id).select('c.id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** The stored paths of changes that merged in a period, by change. */
export async function changedPathsIn(
  tx: Tx,
  orgId: string,
  { from, to }: { from: string; to: string },
): Promise<ReadonlyMap<string, ChangedPaths>> {
  const rows = await tx.query<{ id: string; paths: string[]; isWhole: boolean }>({
    name: 'changes.paths-in',
    text: `select p.change_id as id, p.paths, p.is_whole as "isWhole" from change_path p where p.org_id = $1 and p.change_id in (
             select c.id from change_record c where c.org_id = $1 and c.merged_at >= $2::timestamptz and c.merged_at < $3::timestamptz)`,
    values: [orgId, from, to],
  });
  return new Map(rows.map(({ id, ...paths }) => [id, paths]));
}
