import { hash } from 'node:crypto';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { Erasure, ErasureBasis, ErasureState, ErasuresQuery } from '@sightline/contract/organization/erasure.ts';
import { type RawBuilder, sql } from 'kysely';
import { NotFound } from '#core/errors.ts';
import { leafHash, merkleRoot } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';

/** One page of the erasures and open requests. */
export async function listErasures(tx: Tx, orgId: string, query: ErasuresQuery): Promise<Page<Erasure[]>> {
  const { state, search, sort, page, perPage } = query;
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const where = sql.join(
    [
      sql`e.org_id = ${orgId}`,
      ...(state.length > 0 ? [sql`e.state = any(${state})`] : []),
      ...(search === ''
        ? []
        : [sql`(s.name ilike ${like} or s.email ilike ${like} or e.person_id::text ilike ${like})`]),
    ],
    sql` and `,
  );
  const order = sort === 'date-asc' ? sql`e.requested_at, e.id` : sql`e.requested_at desc, e.id desc`;
  const counted = await sql<{
    total: number;
  }>`select count(*)::int as total ${from(orgId, search !== '')} where ${where}`.execute(tx.db);
  const offset = (page - 1) * perPage;
  const { rows } = await sql<ErasureRow>`
    select ${columns} ${from(orgId, true)} where ${where} order by ${order} limit ${perPage} offset ${offset}`.execute(
    tx.db,
  );
  return { rows: rows.map(erasureOf), total: counted.rows[0]?.total ?? 0 };
}

/** One erasure; throws 404 if it does not exist. */
export async function findErasure(tx: Tx, orgId: string, id: string): Promise<Erasure> {
  const { rows } = await sql<ErasureRow>`
    select ${columns} ${from(orgId, true)} where e.org_id = ${orgId} and e.id = ${id}`.execute(tx.db);
  if (!rows[0]) throw NotFound('Request');
  return erasureOf(rows[0]);
}

/** The requested or running erasure of a person; throws 404 if there is none. */
export async function findOpenErasure(tx: Tx, orgId: string, personId: string): Promise<Erasure> {
  const { rows } = await sql<ErasureRow>`
    select ${columns} ${from(orgId, true)}
    where e.org_id = ${orgId} and e.person_id = ${personId} and e.state in ('requested', 'running')`.execute(tx.db);
  if (!rows[0]) throw NotFound('Request');
  return erasureOf(rows[0]);
}

/** The latest erasure of a person, in any state; null if there is none. */
export async function maybeLatestErasure(tx: Tx, orgId: string, personId: string): Promise<Erasure | null> {
  const { rows } = await sql<ErasureRow>`
    select ${columns} ${from(orgId, true)} where e.org_id = ${orgId} and e.person_id = ${personId}
    order by e.requested_at desc, e.id desc limit 1`.execute(tx.db);
  return rows[0] ? erasureOf(rows[0]) : null;
}

/** The names and addresses that confirm an erasure. Throws 404 for an unknown or erased person. */
export async function confirmationNamesOf(tx: Tx, orgId: string, personId: string): Promise<string[]> {
  const rows = await tx.query<{ value: string | null }>({
    name: '',
    text: `select i.display as value from identity i where i.org_id = $1 and i.person_id = $2
           union select i.value from identity i where i.org_id = $1 and i.person_id = $2 and i.kind <> 'account'
           union select c.name from committer c where c.org_id = $1 and c.person_id = $2
           union select unnest(array[a.name, a.email]) from identity i join account a on a.id = i.value::uuid
             where i.org_id = $1 and i.person_id = $2 and i.kind = 'account'`,
    values: [orgId, personId],
  });
  if (rows.length === 0) throw NotFound('Person');
  return rows.flatMap(({ value }) => value ?? []);
}

/** The number of the marked rows and the Merkle root over their IDs in order, for the ledger. */
export async function erasedRowsRoot(
  tx: Tx,
  orgId: string,
  erasureId: string,
): Promise<{ rows: number; root: string }> {
  const found = await tx.query<{ id: string }>({
    name: '',
    text: 'select entry_id as id from erased_row where org_id = $1 and erasure_id = $2 order by entry_id',
    values: [orgId, erasureId],
  });
  if (found.length === 0) return { rows: 0, root: hash('sha256', '', 'base64url') };
  return { rows: found.length, root: merkleRoot(found.map(({ id }) => leafHash(id))).toString('base64url') };
}

interface ErasureRow {
  id: string;
  state: ErasureState;
  basis: ErasureBasis;
  person_id: string;
  name: string | null;
  email: string | null;
  requested_at: Date;
  requested_by: string | null;
  asker: string | null;
  decided_at: Date | null;
  decided_by: string | null;
  decider: string | null;
  reason: string;
  deletes_account: boolean;
  done: number;
  total: number;
  rows: number;
  finished_at: Date | null;
}

const columns = sql`e.id, e.state, e.basis, e.person_id, s.name, s.email, e.requested_at, e.requested_by, asker.name as asker,
  e.decided_at, e.decided_by, decider.name as decider, e.reason, e.deletes_account, e.done, e.total, e.rows, e.finished_at`;

// An erased person has no identity and therefore no name.
const from = (orgId: string, named: boolean): RawBuilder<unknown> => sql`
  from erasure e
  ${
    named
      ? sql`left join lateral (
          select coalesce(a.name, i.display, i.value) as name, coalesce(a.email, case when i.kind = 'email' then i.value end) as email
          from identity i left join account a on i.kind = 'account' and a.id = case when i.kind = 'account' then i.value::uuid end
          where i.org_id = ${orgId} and i.person_id = e.person_id order by i.kind <> 'account', i.kind <> 'email', i.value limit 1) s on true`
      : sql``
  }
  left join visible_account asker on asker.id = e.requested_by
  left join visible_account decider on decider.id = e.decided_by`;

const erasureOf = (row: ErasureRow): Erasure => ({
  id: row.id,
  state: row.state,
  basis: row.basis,
  person: { id: row.person_id, name: row.name, email: row.email },
  requestedAt: row.requested_at.toISOString(),
  requestedBy: memberRefOf(row.requested_by, row.asker),
  decidedAt: row.decided_at?.toISOString() ?? null,
  decidedBy: memberRefOf(row.decided_by, row.decider),
  reason: row.reason,
  deletesAccount: row.deletes_account,
  progress: { done: row.done, total: row.total },
  rows: row.rows,
  finishedAt: row.finished_at?.toISOString() ?? null,
});

const memberRefOf = (userId: string | null, name: string | null) =>
  userId === null ? null : { userId, name: name ?? 'Former member' };
