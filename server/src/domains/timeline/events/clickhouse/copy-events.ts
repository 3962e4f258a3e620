import { NIL_UUID } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { ClickHouse } from '#providers/clickhouse.ts';
import { type CopiedEvent, copyTable, ensureTable } from './table.ts';
import { searchableTextOf } from './word-parts.ts';

interface CopiedEventRow extends Record<string, unknown> {
  as_of: string;
  id: string;
  kind: string;
  actor: string | null;
  repo: string | null;
  pr: number | null;
  source: string;
  late: boolean;
  summary: string;
  detail: string;
}

const columns = `e.as_of::text, e.id, e.kind, e.actor, e.repo, e.pr, e.source, e.received_at > e.as_of + interval '5 minutes' as late,
  e.summary, e.detail`;

// Events per insert, and pending rows per insert, which contain up to some hundred events each.
const eventsPerInsert = 5_000;
const pendingRowsPerInsert = 20;

/**
 * Copies the events of an organization: new ones, then older ones from the last position. The position is stored after
 * the insert, so that a crash repeats some events. Repeated rows are identical.
 */
export async function copyEvents(services: Services, orgId: string): Promise<void> {
  const { clickhouse, database } = services;
  if (!clickhouse) {
    await database.withOrg(orgId, (tx) => deletePositions(tx, orgId));
    return;
  }
  await ensureTable(clickhouse);
  await database.withOrg(orgId, (tx) =>
    tx.query({
      name: 'copy.begin',
      text: 'insert into event_copy (org_id) values ($1) on conflict do nothing',
      values: [orgId],
    }),
  );
  while (await copyPending(services, clickhouse, orgId));
  while (await copyOlder(services, clickhouse, orgId)) while (await copyPending(services, clickhouse, orgId));
}

/** Deletes the copy position without ClickHouse, so that a later copy starts from the beginning. */
const deletePositions = async (tx: Tx, orgId: string): Promise<void> => {
  for (const name of ['event_copy', 'event_copy_pending'])
    await tx.query({ name: `copy.end.${name}`, text: `delete from ${name} where org_id = $1`, values: [orgId] });
};

async function copyPending({ database }: Services, clickhouse: ClickHouse, orgId: string): Promise<boolean> {
  const { seqs, rows } = await database.withOrg(orgId, async (tx) => {
    const pending = await tx.query<{ seq: number }>({
      name: 'copy.waiting',
      text: 'select seq from event_copy_pending where org_id = $1 order by seq limit $2',
      values: [orgId, pendingRowsPerInsert],
    });
    const found = pending.map(({ seq }) => seq);
    return {
      seqs: found,
      rows: await tx.query<CopiedEventRow>({
        name: 'copy.new',
        text: `select ${columns} from event_copy_pending p cross join lateral unnest(p.as_of, p.id) as k(as_of, id)
               join event e on e.org_id = $1 and e.as_of = k.as_of and e.id = k.id
               where p.org_id = $1 and p.seq = any($2::bigint[])`,
        values: [orgId, found],
      }),
    };
  });
  if (seqs.length === 0) return false;
  await send(clickhouse, orgId, rows);
  await database.withOrg(orgId, (tx) =>
    tx.query({
      name: 'copy.sent',
      text: 'delete from event_copy_pending where org_id = $1 and seq = any($2::bigint[])',
      values: [orgId, seqs],
    }),
  );
  return true;
}

async function copyOlder({ database }: Services, clickhouse: ClickHouse, orgId: string): Promise<boolean> {
  const rows = await database.withOrg(orgId, (tx) =>
    tx.query<CopiedEventRow>({
      name: 'copy.older',
      text: `select ${columns} from event e
             where e.org_id = $1 and (e.as_of, e.id) < (select c.as_of, c.id from event_copy c where c.org_id = $1 and not c.whole)
             order by e.as_of desc, e.id desc limit $2`,
      values: [orgId, eventsPerInsert],
    }),
  );
  await send(clickhouse, orgId, rows);
  const last = rows.at(-1);
  await database.withOrg(orgId, (tx) =>
    tx.query({
      name: 'copy.mark',
      text: `update event_copy set as_of = coalesce($2::timestamptz, as_of), id = coalesce($3::uuid, id), whole = whole or $4
             where org_id = $1`,
      values: [orgId, last?.as_of ?? null, last?.id ?? null, rows.length < eventsPerInsert],
    }),
  );
  return rows.length === eventsPerInsert;
}

const send = (clickhouse: ClickHouse, orgId: string, rows: readonly CopiedEventRow[]): Promise<void> =>
  rows.length === 0
    ? Promise.resolve()
    : clickhouse.insert(
        copyTable,
        rows.map((row) => copyOf(orgId, row)),
      );

const copyOf = (
  orgId: string,
  { as_of, id, kind, actor, repo, pr, source, late, summary, detail }: CopiedEventRow,
): CopiedEvent & { copied_at: string } => ({
  org_id: orgId,
  as_of: as_of.replace('+00', ''),
  id,
  kind,
  actor: actor ?? NIL_UUID,
  repo: repo ?? NIL_UUID,
  pr: pr ?? 0,
  source,
  late,
  shown: searchableTextOf({ summary, detail }),
  copied_at: new Date().toISOString().slice(0, -1).replace('T', ' '),
});
