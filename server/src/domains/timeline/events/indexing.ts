import type { Services } from '#core/services.ts';
import type { Database, Tx } from '#database/database.ts';
import { partOfSecondsSql, secondSql } from './store/hour-parts.ts';
import { hourSql } from './store/tests.ts';

// Events per transaction: enough to share words, few enough for a short transaction.
const eventsPerBatch = 4_000;

/**
 * Moves the words of new events to the posting lists. The same statement deletes the pending rows, so that concurrent
 * processes write no posting twice.
 */
export async function indexPendingWords({ database }: Services, orgId: string): Promise<void> {
  for (;;) {
    const more = await database.withOrg(orgId, async (tx) => {
      await lockLists(tx, orgId, '_shared');
      const [row] = await tx.query<{ more: boolean }>({
        name: 'events.index',
        text: moveSql,
        values: [orgId, eventsPerBatch],
      });
      return row?.more ?? false;
    });
    if (!more) return;
  }
}

/** Runs a transaction without concurrent indexing, so that deleted events are in no list afterwards. */
export const withoutIndexing = <Result>(
  database: Database,
  orgId: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> =>
  database.withOrg(orgId, async (tx) => {
    await lockLists(tx, orgId, '');
    return work(tx);
  });

// Arbitrary; the hash of the organization is the second key of the lock.
const listsLock = 7_318_203;

/** Keeps rows, lists and segments from being moved or deleted until the transaction ends. */
export const lockEvents = (tx: Tx, orgId: string): Promise<unknown> => lockLists(tx, orgId, '_shared');

const lockLists = (tx: Tx, orgId: string, mode: '' | '_shared') =>
  tx.query({
    name: `events.lists${mode}`,
    text: `select pg_advisory_xact_lock${mode}($1, hashtext($2))`,
    values: [listsLock, orgId],
  });

const moveSql = `
  with waiting as materialized (
    select seq, sum(events) over (order by seq) - events as before from (
      select seq, events from posting_pending where org_id = $1 order by seq limit $2 + 1) oldest
  ), taken as (
    delete from posting_pending where org_id = $1 and seq in (select seq from waiting where before < $2)
    returning seq, as_of, id, terms, places, hours, kinds, counts, names, name_terms, late
  ), flat as materialized (
    -- Out of their toast once, and not for every place; so are the hours.
    select as_of || '{}'::timestamptz[] as as_of, id || '{}'::uuid[] as id, terms, places, late,
      array(select floor(date_part('epoch', t) / 3600)::int from unnest(as_of) as t) as hour
    from taken
    where cardinality(terms) > 0
  ), part as materialized (
    -- One part for all lists of an hour. Events arrive about in the order of time, so it is short.
    select hour, ${partOfSecondsSql('first', 'last')} as part from (
      select ${hourSql('t.as_of')} as hour, min(${secondSql('t.as_of')}) as first, max(${secondSql('t.as_of')}) as last
      from flat cross join lateral unnest(as_of) as t(as_of) group by 1) seconds
  ), posting as (
    select p.term, flat.hour[p.place] as hour, flat.as_of[p.place] as as_of, flat.id[p.place] as id
    from flat cross join lateral unnest(terms, places) as p(term, place)
    -- What is learnt of an event after it was deleted is ignored.
    where not flat.late or exists (
      select from event e where e.org_id = $1 and e.as_of = flat.as_of[p.place] and e.id = flat.id[p.place])
    order by 1, 2
  ), moved as (
    insert into posting_list (org_id, term, hour, part, as_of, id)
    select $1, l.term, l.hour, part.part, l.as_of, l.id
    from (select term, hour, array_agg(as_of) as as_of, array_agg(id) as id from posting group by term, hour offset 0) l
    join part on part.hour = l.hour
  ), named as (
    insert into posting_name (org_id, field, value, term)
    select distinct $1::uuid, split_part(x.name, E'\\n', 1), substr(x.name, strpos(x.name, E'\\n') + 1), x.term
    from taken cross join lateral unnest(names, name_terms) as x(name, term) order by 2, 3
    on conflict (org_id, field, value) do update set idle_since = null where posting_name.idle_since is not null
  ), counted as (
    -- In the order of the key: two processes that count at once never wait for each other in a circle.
    insert into event_hour_kind as h (org_id, hour, kind, n)
    select $1, c.hour, c.kind, sum(c.n)
    from taken cross join lateral unnest(hours, kinds, counts) as c(hour, kind, n)
    group by 2, 3 order by 2, 3
    on conflict (org_id, hour, kind) do update set n = h.n + excluded.n
  ), noted as (
    insert into event_copy_pending (org_id, as_of, id)
    select $1, as_of, id from taken
    where not late and cardinality(id) > 0 and exists (select from event_copy where org_id = $1)
  )
  select exists (select from waiting where before >= $2) as more from (select count(*) from taken) t`;
