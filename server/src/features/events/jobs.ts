import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { refield } from './refield.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'events.index': { orgId: string };
    'events.refield': { orgId: string };
  }
}

export const eventJobs = (services: Services): JobDefinition[] => [
  { name: 'events.index', expireMinutes: 60, handle: ({ orgId }) => indexWords(services, orgId) },
  { name: 'events.refield', expireMinutes: 60, handle: ({ orgId }) => refield(services, orgId) },
];

// Events moved at once: enough to find the same words again, few enough to be done in a moment.
const batch = 4_000;

/**
 * Moves the words of new events into the lists they are searched by. What is taken is gone, so no posting is written
 * twice, also where two processes take at once.
 */
async function indexWords(services: Services, orgId: string): Promise<void> {
  for (;;) {
    const more = await services.database.withOrg(orgId, async (tx) => {
      const [row] = await tx.query<{ more: boolean }>({ name: 'events.index', text: moveSql, values: [orgId, batch] });
      return row?.more ?? false;
    });
    if (!more) return;
  }
}

const moveSql = `
  with waiting as materialized (
    select seq, sum(events) over (order by seq) - events as before from (
      select seq, events from posting_pending where org_id = $1 order by seq limit $2 + 1) oldest
  ), taken as (
    delete from posting_pending where org_id = $1 and seq in (select seq from waiting where before < $2)
    returning seq, as_of, id, terms, places, names, name_terms, late
  ), flat as materialized (
    -- Out of their toast once, and not for every place.
    select as_of || '{}'::timestamptz[] as as_of, id || '{}'::uuid[] as id, terms, places, late from taken
  ), posting as (
    select p.term, floor(date_part('epoch', flat.as_of[p.place]) / 3600)::int as hour,
      flat.as_of[p.place] as as_of, flat.id[p.place] as id
    from flat cross join lateral unnest(terms, places) as p(term, place)
    order by 1, 2
  ), moved as (
    insert into posting_list (org_id, term, hour, as_of, id)
    select $1, term, hour, array_agg(as_of), array_agg(id) from posting group by term, hour
  ), named as (
    insert into posting_name (org_id, field, value, term)
    select distinct $1::uuid, split_part(x.name, E'\\n', 1), substr(x.name, strpos(x.name, E'\\n') + 1), x.term
    from taken cross join lateral unnest(names, name_terms) as x(name, term) order by 2, 3
    on conflict do nothing
  ), counted as (
    -- In the order of the key: two processes that count at once never wait for each other in a circle.
    insert into event_hour_kind as h (org_id, hour, kind, n)
    select $1, floor(date_part('epoch', e.as_of) / 3600)::int, e.kind, count(*)
    from flat cross join lateral unnest(as_of, id) as k(as_of, id)
    join event e on e.org_id = $1 and e.as_of = k.as_of and e.id = k.id
    where not late group by 2, 3 order by 2, 3
    on conflict (org_id, hour, kind) do update set n = h.n + excluded.n
  )
  select exists (select from waiting where before >= $2) as more from (select count(*) from taken) t`;
