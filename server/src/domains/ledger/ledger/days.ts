import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry, isReadByKindSql } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

/** The state of the ledger on a completed day; null if unknown. */
interface LedgerDay {
  day: string;
  selfCheck: 'ok' | 'failed' | null;
  longestPendingSeconds: number | null;
  lastAnchoredAt: Date | null;
  epochBreaks: number;
}

/** Maximum days to record at once. */
const maxDays = 400;
const dayMs = 24 * 60 * 60_000;

/** Records each completed day in the ledger that is not recorded yet, from the first full day of the ledger on. */
export async function recordCompletedDays({ database }: Pick<Services, 'database'>, orgId: string): Promise<void> {
  await database.withOrg(orgId, async (tx) => {
    // Prevents two processes from recording a day twice.
    await tx.query({
      name: 'ledger.lock-days',
      text: `select pg_advisory_xact_lock(hashtextextended('ledger days ' || $1::uuid::text, 0))`,
      values: [orgId],
    });
    const days = await tx.query<LedgerDay & Record<string, unknown>>({
      name: 'ledger.days-to-close',
      text: daysSql,
      values: [orgId, new Date(Date.now() - dayMs).toISOString().slice(0, 10), maxDays],
    });
    for (const day of days) await closeDay(tx, orgId, day);
  });
}

// A check that halts the log adds no entry, so the check of that day failed. The wait is unknown for days before the
// first recorded wait, and for its day, which may be incomplete, unless the log began on it.
const daysSql = `
  with began as (
    select min(signed_at)::date as day from ledger_checkpoint where org_id = $1
  ), watched as (
    select min(day) as day from ledger_delay where org_id = $1
  ), told as (
    select max(day) as day from ledger_day where org_id = $1
  ), due as (
    select d::date as day from began, told, generate_series(greatest(began.day, told.day) + 1, $2::date, interval '1 day') d
    order by d limit $3
  )
  select to_char(due.day, 'YYYY-MM-DD') as day,
    case
      when exists (select from ledger_log l where l.org_id = $1 and l.halted_at < due.day + 1 and coalesce(l.closed_at, 'infinity') >= due.day)
        then 'failed'
      when checked.problems > 0 then 'failed'
      when checked.problems = 0 then 'ok'
    end as "selfCheck",
    case when watched.day < due.day or watched.day <= began.day then greatest(
      coalesce((select w.seconds from ledger_delay w where w.org_id = $1 and w.day = due.day), 0),
      (select floor(extract(epoch from (due.day + 1)::timestamptz - p.queued_at))::int from ledger_pending p
       where p.org_id = $1 and p.queued_at < (due.day + 1)::timestamptz order by p.id limit 1)
    ) end as "longestPendingSeconds",
    (select max(a.at) from ledger_receipt a where a.org_id = $1 and a.at < (due.day + 1)::timestamptz) as "lastAnchoredAt",
    (select count(*)::int from ledger_log l
     where l.org_id = $1 and l.closed_at >= due.day and l.closed_at < due.day + 1) as "epochBreaks"
  from due cross join began cross join watched
  left join lateral (
    select ((entry_text(e)::json) -> 'subject' ->> 'problems')::int as problems from ledger_entry e
    where e.org_id = $1 and e.kind = 'ledger.check' and ${isReadByKindSql} and (entry_text(e)::json ->> 'asOf')::timestamptz >= due.day
      and (entry_text(e)::json ->> 'asOf')::timestamptz < due.day + 1
    order by e.epoch desc, e.leaf_index desc limit 1
  ) checked on true
  order by due.day`;

async function closeDay(tx: Tx, orgId: string, facts: LedgerDay): Promise<void> {
  const now = new Date().toISOString();
  const { day, selfCheck, longestPendingSeconds, lastAnchoredAt, epochBreaks } = facts;
  const entry = createLedgerEntry(
    {
      id: newId(),
      org: orgId,
      kind: 'ledger.day',
      asOf: now,
      receivedAt: now,
      person: null,
      source: 'sightline',
      subject: {
        day,
        selfCheck,
        longestPendingSeconds,
        lastAnchoredAt: lastAnchoredAt?.toISOString() ?? null,
        epochBreaks,
      },
      personal: {},
    },
    undefined,
  );
  await tx.query({
    name: 'ledger.close-day',
    text: `insert into ledger_day (org_id, day, self_check, longest_pending_seconds, last_anchored_at, epoch_breaks, entry_id)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [orgId, day, selfCheck, longestPendingSeconds, lastAnchoredAt, epochBreaks, entry.id],
  });
  await appendEntries(tx, orgId, [entry]);
}
