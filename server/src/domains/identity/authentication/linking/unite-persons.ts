import { sql } from 'kysely';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

/**
 * Serializes merges of persons and membership changes of the organization until the transaction ends. Taken before any
 * lock on a person, as in every membership change. Data of code hosts is processed meanwhile.
 */
export const lockPersons = (tx: Tx, orgId: string): Promise<unknown> =>
  tx.db.selectFrom('organization').select('id').where('id', '=', orgId).forNoKeyUpdate().execute();

/**
 * Merges two persons of an organization in a transaction that holds `lockPersons`. Data for lists and permissions moves
 * at once, other data in a job. Events and ledger entries keep the person they were recorded with, so queries must
 * include persons with `merged_into`.
 */
export async function unitePersons(
  services: Services,
  tx: Tx,
  orgId: string,
  { from, into }: { from: string; into: string },
): Promise<void> {
  // Waits for transactions that read these names and write references to their persons.
  await sql`select from identity where org_id = ${orgId} and person_id in (${from}, ${into}) order by kind, value for update`.execute(
    tx.db,
  );
  await tx.db
    .updateTable('identity')
    .set({ person_id: into })
    .where('org_id', '=', orgId)
    .where('person_id', '=', from)
    .execute();
  await tx.db
    .updateTable('person')
    .set({ merged_into: into })
    .where('org_id', '=', orgId)
    .where((where) => where.or([where('id', '=', from), where('merged_into', '=', from)]))
    .execute();
  await moveWork(tx, orgId, from, into);
  await moveLists(tx, orgId, from, into);
  await services.jobs.enqueue(tx, 'identity.unite', { orgId, from, into }, { key: `${orgId} ${from}` });
  const accounts = await tx.db
    .selectFrom('identity')
    .select('value')
    .where('org_id', '=', orgId)
    .where('person_id', '=', into)
    .where('kind', '=', 'account')
    .execute();
  tx.afterCommit(() => {
    for (const { value } of accounts) services.memberships.forget(value);
    services.realtime.notifyOrganization(orgId, 'orgRepos', {});
    services.realtime.notifyOrganization(orgId, 'orgMembers', {});
  });
}

async function moveWork({ db }: Tx, orgId: string, from: string, into: string): Promise<void> {
  await db
    .updateTable('pull_request')
    .set({ author_person: into })
    .where('org_id', '=', orgId)
    .where('author_person', '=', from)
    .execute();
  await db
    .updateTable('pull_request')
    .set({ merged_by_person: into })
    .where('org_id', '=', orgId)
    .where('merged_by_person', '=', from)
    .execute();
  await db
    .updateTable('review')
    .set({ person_id: into })
    .where('org_id', '=', orgId)
    .where('person_id', '=', from)
    .execute();
  await sql`
    with gone as (delete from contributor where org_id = ${orgId} and person_id = ${from} returning *)
    insert into contributor as c (org_id, repository_id, person_id, name, email, login, commits, last_commit)
    select org_id, repository_id, ${into}, name, email, login, commits, last_commit from gone order by repository_id
    on conflict (org_id, repository_id, person_id) do update set
      commits = c.commits + excluded.commits,
      last_commit = greatest(c.last_commit, excluded.last_commit),
      name = case when excluded.last_commit >= c.last_commit then excluded.name else c.name end,
      email = case when excluded.last_commit >= c.last_commit then excluded.email else c.email end,
      login = coalesce(c.login, excluded.login)`.execute(db);
}

async function moveLists({ db }: Tx, orgId: string, from: string, into: string): Promise<void> {
  await sql`
    with gone as (delete from committer where org_id = ${orgId} and person_id = ${from} returning *)
    insert into committer as c (org_id, person_id, name, email, login, seen_at, uninvited)
    select org_id, ${into}, name, email, login, seen_at, is_uninvited(org_id, ${into}) from gone
    on conflict (org_id, person_id) do update set
      seen_at = least(c.seen_at, excluded.seen_at),
      login = coalesce(c.login, excluded.login),
      uninvited = excluded.uninvited`.execute(db);
  await sql`
    with gone as (delete from tool_person where org_id = ${orgId} and person_id = ${from} returning *)
    insert into tool_person as t
      (org_id, tab, tool_id, person_id, source, program, device_id, version, first_seen, last_seen, removed_at)
    select org_id, tab, tool_id, ${into}, source, program, device_id, version, first_seen, last_seen, removed_at from gone
    order by tab, tool_id, source, program, device_id
    on conflict (org_id, tab, tool_id, person_id, source, program, device_id) do update set
      version = case when excluded.last_seen >= t.last_seen then coalesce(excluded.version, t.version) else t.version end,
      first_seen = least(t.first_seen, excluded.first_seen),
      last_seen = greatest(t.last_seen, excluded.last_seen),
      -- Null as long as either has it; greatest would pass null over.
      removed_at = case when t.removed_at is null or excluded.removed_at is null then null
        else greatest(t.removed_at, excluded.removed_at) end`.execute(db);
}
