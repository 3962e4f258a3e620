import { recordAuditEntry } from '#core/audit.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { forgetNames } from './forgotten-names.ts';
import { moveWords, withListsToItself } from './indexing.ts';
import { endOf, keptFrom, passingKinds, type RetentionStart } from './retention-start.ts';
import { hourOf } from './store/tests.ts';

/** Deletes what no organization keeps any longer, but never most of what it has: a clock may be wrong, or a setting mistyped. */
export async function forgetEvents(services: Services): Promise<void> {
  const kept = keptFrom(services.config);
  await forEachOrganization(
    services,
    { job: 'events.forget', organizations: 'select every_organization() as id' },
    async (orgId) => {
      const { expired, all } = await countExpired(services, orgId, kept);
      if (expired * 2 > all) {
        throw new Error(
          `${expired} of ${all} events are older than their retention period. If the clock and the period are right, ` +
            `run: npm run sightline -- events delete-expired ${orgId}`,
        );
      }
      await forgetEventsOf(services, orgId, kept);
    },
  );
}

/** About how many events of an organization are older than their retention period, of all that have one. */
export const countExpired = (
  { database }: Services,
  orgId: string,
  kept: RetentionStart,
): Promise<{ expired: number; all: number }> =>
  database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ expired: number; all: number }>({
      name: '',
      text: `select coalesce(sum(h.n), 0)::float8 as all, coalesce(sum(h.n) filter (where h.hour < passing.hour), 0)::float8 as expired
             from unnest($2::text[], $3::int[]) as passing(kind, hour) join event_hour_kind h on h.org_id = $1 and h.kind = passing.kind`,
      values: [orgId, passingKinds, passingKinds.map((kind) => Math.floor(kept[endOf(kind) ?? 'events'] / 3_600_000))],
    });
    return row ?? { expired: 0, all: 0 };
  });

/**
 * Deletes the events of an organization from before, with what they are found and counted by. In small transactions, each of
 * which leaves everything as the rows say, so that a run that is cut short is gone on with by the next.
 */
export async function forgetEventsOf(services: Services, orgId: string, kept: RetentionStart): Promise<void> {
  const { database } = services;
  if (!(await database.withOrg(orgId, (tx) => hasWork(tx, orgId, kept)))) return;
  // Whatever is in the lists by then is deleted by what is in the lists.
  await moveWords(services, orgId);
  for (const end of ['clipboard', 'events'] as const) while ((await forgetSome(services, orgId, kept, end)) > 0);
  await database.withOrg(orgId, (tx) =>
    tx.query({ name: '', text: forgetProofsSql, values: [orgId, new Date(kept.events), passingKinds] }),
  );
  await forgetNames(services, orgId);
  await tell(services, orgId, kept);
}

async function hasWork(tx: Tx, orgId: string, kept: RetentionStart): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>({
    name: '',
    text: `select exists (select from unnest($2::text[], $3::timestamptz[]) as passing(kind, before)
               join event e on e.org_id = $1 and e.kind = passing.kind and e.as_of < passing.before)
             or exists (select from event_retention where org_id = $1)
             or exists (select from posting_name where org_id = $1 and idle_since is not null) as found`,
    values: [orgId, passingKinds, passingKinds.map((kind) => new Date(kept[endOf(kind) ?? 'events']))],
  });
  return row?.found ?? false;
}

// Events deleted at once: a moment's work, and the job that moves words into lists waits no longer for it.
const batch = 5_000;

interface Doomed extends Record<string, unknown> {
  id: string;
  hour: number;
}

/** The oldest whose time is over, out of lists that go on without them. Answers how many. */
const forgetSome = (
  { database }: Services,
  orgId: string,
  kept: RetentionStart,
  end: keyof RetentionStart,
): Promise<number> =>
  withListsToItself(database, orgId, async (tx) => {
    const kinds = passingKinds.filter((kind) => endOf(kind) === end);
    // Those that wait for the lists, or whose later words do, are left until they are in.
    const gone = await tx.query<Doomed>({
      name: '',
      text: deleteSql,
      values: [orgId, new Date(kept[end]), batch, kinds],
    });
    if (gone.length === 0) return 0;
    const hours = [...new Set(gone.map(({ hour }) => hour))];
    await tx.query({
      name: '',
      text: thinListsSql,
      values: [orgId, gone.map(({ id }) => id), Math.min(...hours), Math.max(...hours)],
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
      values: [orgId, end === 'events' ? gone.length : 0, end === 'clipboard' ? gone.length : 0],
    });
    return gone.length;
  });

/** What a run and those cut short before it deleted, in one entry. */
const tell = ({ database, people }: Services, orgId: string, kept: RetentionStart): Promise<void> =>
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
      doer: { clock: true },
      entry: {
        action: 'event.expired',
        subject: { kind: 'organization', id: orgId },
        data: {
          ...(row.events > 0 && { events: row.events, eventsBefore: dayOf(kept.events) }),
          ...(row.clipboard_events > 0 && {
            clipboardEvents: row.clipboard_events,
            clipboardBefore: dayOf(kept.clipboard),
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
    from (select ${hourOf('as_of')} as hour, kind, count(*)::int as n from gone group by 1, 2) g
    where h.org_id = $1 and h.hour = g.hour and h.kind = g.kind
  )
  select id, ${hourOf('as_of')} as hour from gone`;

// A list goes on under its number without what is deleted; one that holds nothing more goes, and those that name it.
export const thinListsSql = `
  with doomed as materialized (select unnest($2::uuid[]) as id),
  hit as materialized (
    select distinct p.term, p.hour, p.seq from posting_list p
    cross join lateral unnest(p.id) as listed(id) join doomed d on d.id = listed.id
    where p.org_id = $1 and p.hour between $3 and $4
  ), left_over as materialized (
    select p.term, p.hour, p.seq, k.as_of, k.id
    from posting_list p join hit h on p.term = h.term and p.hour = h.hour and p.seq = h.seq
    cross join lateral (
      select array_agg(k.as_of) as as_of, array_agg(k.id) as id from unnest(p.as_of, p.id) as k(as_of, id)
      where k.id not in (select id from doomed)) k
    where p.org_id = $1
  ), thinned as (
    update posting_list p set as_of = l.as_of, id = l.id from left_over l
    where p.org_id = $1 and p.term = l.term and p.hour = l.hour and p.seq = l.seq and l.id is not null
  )
  delete from posting_list p using left_over l
  where p.org_id = $1 and p.hour = l.hour and p.seq = l.seq and l.id is null and (p.term = l.term or p.same_as = l.term)`;

// What came in one batch came at one moment: by then all of it is gone, but for what stays for good.
const forgetProofsSql = `
  delete from forgotten_event where org_id = $1 and received_at < $2 and proof not in (
    select proof from event where org_id = $1 and not kind = any($3) and proof <> id and received_at < $2)`;
