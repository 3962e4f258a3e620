import { recordAuditEntry } from '#core/audit.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { deleteUnusedNames } from './forgotten-names.ts';
import { indexPendingWords, withoutIndexing } from './indexing.ts';
import { expiringKinds, type RetentionStart, retentionPeriodOf, retentionStartOf } from './retention-start.ts';
import { expireArchivedEvents, sharedProofsOfKept } from './segments/expire-segments.ts';
import { hourSql } from './store/tests.ts';

/** Deletes expired events of all organizations, but never most of them, in case of a wrong clock or setting. */
export async function expireEventsOfAllOrganizations(services: Services): Promise<void> {
  const start = retentionStartOf(services.config);
  await forEachOrganization(
    services,
    { job: 'events.forget', organizations: 'select every_organization() as id' },
    async (orgId) => {
      const { expired, all } = await countExpiredEvents(services, orgId, start);
      if (expired * 2 > all) {
        throw new Error(
          `${expired} of ${all} events are older than their retention period. If the clock and the period are right, ` +
            `run: npm run sightline -- events delete-expired ${orgId}`,
        );
      }
      await expireEventsOf(services, orgId, start);
    },
  );
}

/** The approximate number of expired events of an organization, of all events with a retention period. */
export const countExpiredEvents = (
  { database }: Services,
  orgId: string,
  start: RetentionStart,
): Promise<{ expired: number; all: number }> =>
  database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ expired: number; all: number }>({
      name: '',
      text: `select coalesce(sum(h.n), 0)::float8 as all, coalesce(sum(h.n) filter (where h.hour < passing.hour), 0)::float8 as expired
             from unnest($2::text[], $3::int[]) as passing(kind, hour) join event_hour_kind h on h.org_id = $1 and h.kind = passing.kind`,
      values: [
        orgId,
        expiringKinds,
        expiringKinds.map((kind) => Math.floor(start[retentionPeriodOf(kind) ?? 'events'] / 3_600_000)),
      ],
    });
    return row ?? { expired: 0, all: 0 };
  });

/**
 * Deletes expired events of an organization with their index entries and counts. Each small transaction leaves
 * consistent data, so that the next run resumes an interrupted one.
 */
export async function expireEventsOf(services: Services, orgId: string, start: RetentionStart): Promise<void> {
  const { database } = services;
  if (!(await database.withOrg(orgId, (tx) => hasWork(tx, orgId, start)))) return;
  // Moves pending words first, since only indexed events are deleted.
  await indexPendingWords(services, orgId);
  for (const end of ['clipboard', 'events'] as const) while ((await forgetBatch(services, orgId, start, end)) > 0);
  await expireArchivedEvents(services, orgId, start);
  const proofs = await sharedProofsOfKept(services, orgId, start.events);
  await database.withOrg(orgId, (tx) =>
    tx.query({ name: '', text: forgetProofsSql, values: [orgId, new Date(start.events), expiringKinds, proofs] }),
  );
  await deleteUnusedNames(services, orgId);
  await recordDeletions(services, orgId, start);
}

async function hasWork(tx: Tx, orgId: string, start: RetentionStart): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>({
    name: '',
    text: `select exists (select from unnest($2::text[], $3::timestamptz[]) as passing(kind, before)
               join event e on e.org_id = $1 and e.kind = passing.kind and e.as_of < passing.before)
             or exists (select from event_retention where org_id = $1)
             or exists (select from event_segment where org_id = $1 and first_at < $4)
             or exists (select from posting_name where org_id = $1 and idle_since is not null) as found`,
    values: [
      orgId,
      expiringKinds,
      expiringKinds.map((kind) => new Date(start[retentionPeriodOf(kind) ?? 'events'])),
      new Date(Math.max(start.events, start.clipboard)),
    ],
  });
  return row?.found ?? false;
}

// Events per transaction, few enough not to delay the indexing job.
const eventsPerBatch = 5_000;

interface DeletedEvent extends Record<string, unknown> {
  id: string;
  hour: number;
}

/** Deletes the oldest expired events and removes them from posting lists. Returns their number. */
const forgetBatch = (
  { database }: Services,
  orgId: string,
  start: RetentionStart,
  end: keyof RetentionStart,
): Promise<number> =>
  withoutIndexing(database, orgId, async (tx) => {
    const kinds = expiringKinds.filter((kind) => retentionPeriodOf(kind) === end);
    // Events with pending words are skipped until they are indexed.
    const deleted = await tx.query<DeletedEvent>({
      name: '',
      text: deleteSql,
      values: [orgId, new Date(start[end]), eventsPerBatch, kinds],
    });
    if (deleted.length === 0) return 0;
    const hours = [...new Set(deleted.map(({ hour }) => hour))];
    await tx.query({
      name: '',
      text: thinListsSql,
      values: [orgId, deleted.map(({ id }) => id), Math.min(...hours), Math.max(...hours)],
    });
    await tx.query({
      name: '',
      text: 'delete from event_hour_kind where org_id = $1 and hour = any($2::int[]) and n <= 0',
      values: [orgId, hours],
    });
    await tx.query({
      name: '',
      text: `insert into event_retention as r (org_id, events, clipboard_events) values ($1, $2, $3)
             on conflict (org_id) do update
             set events = r.events + excluded.events, clipboard_events = r.clipboard_events + excluded.clipboard_events`,
      values: [orgId, end === 'events' ? deleted.length : 0, end === 'clipboard' ? deleted.length : 0],
    });
    return deleted.length;
  });

/** Records the deletions of this run, and of interrupted runs before it, in one audit entry. */
const recordDeletions = ({ database, people }: Services, orgId: string, start: RetentionStart): Promise<void> =>
  database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ events: number; clipboard_events: number }>({
      name: '',
      text: 'delete from event_retention where org_id = $1 returning events, clipboard_events',
      values: [orgId],
    });
    if (!row) return;
    const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor: { clock: true },
      entry: {
        action: 'event.expired',
        subject: { kind: 'organization', id: orgId },
        data: {
          ...(row.events > 0 && { events: row.events, eventsBefore: dayOf(start.events) }),
          ...(row.clipboard_events > 0 && {
            clipboardEvents: row.clipboard_events,
            clipboardBefore: dayOf(start.clipboard),
          }),
        },
      },
    });
  });

const deleteSql = `
  with waiting as materialized (select distinct unnest(id) as id from posting_pending where org_id = $1),
  doomed as materialized (
    select k.as_of, k.id from unnest($4::text[]) as passing(kind) cross join lateral (
      select as_of, id from event where org_id = $1 and kind = passing.kind and as_of < $2
        and id not in (select id from waiting) order by as_of, id limit $3) k
    order by k.as_of limit $3
  ), gone as (
    delete from event e using doomed d where e.org_id = $1 and e.as_of = d.as_of and e.id = d.id
    returning e.id, e.as_of, e.kind, e.received_at, e.proof, e.leaf_hash
  ), proofs as (
    insert into forgotten_event (org_id, received_at, id, proof, leaf_hash)
    select $1, received_at, id, proof, leaf_hash from gone where proof <> id on conflict do nothing
  ), lowered as (
    update event_hour_kind h set n = h.n - g.n
    from (select ${hourSql('as_of')} as hour, kind, count(*)::int as n from gone group by 1, 2) g
    where h.org_id = $1 and h.hour = g.hour and h.kind = g.kind
  )
  select id, ${hourSql('as_of')} as hour from gone`;

// Lists keep their number without the deleted events. Empty lists are deleted, with the lists that refer to them.
export const thinListsSql = `
  with doomed as materialized (select unnest($2::uuid[]) as id),
  hit as materialized (
    select distinct p.term, p.hour, p.part, p.seq from posting_list p
    cross join lateral unnest(p.id) as listed(id) join doomed d on d.id = listed.id
    where p.org_id = $1 and p.hour between $3 and $4
  ), left_over as materialized (
    select p.term, p.hour, p.part, p.seq, k.as_of, k.id
    from posting_list p join hit h on p.term = h.term and p.hour = h.hour and p.part = h.part and p.seq = h.seq
    cross join lateral (
      select array_agg(k.as_of) as as_of, array_agg(k.id) as id from unnest(p.as_of, p.id) as k(as_of, id)
      where k.id not in (select id from doomed)) k
    where p.org_id = $1
  ), thinned as (
    update posting_list p set as_of = l.as_of, id = l.id from left_over l
    where p.org_id = $1 and p.term = l.term and p.hour = l.hour and p.part = l.part and p.seq = l.seq and l.id is not null
  )
  delete from posting_list p using left_over l
  where p.org_id = $1 and p.hour = l.hour and p.part = l.part and p.seq = l.seq and l.id is null and (p.term = l.term or p.same_as = l.term)`;

// The events of one batch have the same receipt time, so all of them are deleted, except permanently retained ones.
const forgetProofsSql = `
  delete from forgotten_event where org_id = $1 and received_at < $2 and proof not in (
    select proof from event where org_id = $1 and not kind = any($3) and proof <> id and received_at < $2
    union all select unnest($4::uuid[]))`;
