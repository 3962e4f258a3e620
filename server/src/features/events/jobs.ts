import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'events.index': { orgId: string };
  }
}

export const eventJobs = (services: Services): JobDefinition[] => [
  { name: 'events.index', expireMinutes: 60, handle: ({ orgId }) => indexWords(services, orgId) },
];

const batch = 2_000;

/**
 * Moves the words of new events into the index they are searched by, sorted so that neighbours land together. What is
 * taken is gone, so no posting is written twice; asking for that (`on conflict`) would cost half as much again.
 */
async function indexWords(services: Services, orgId: string): Promise<void> {
  for (;;) {
    const moved = await services.database.withOrg(orgId, async (tx) => {
      const [row] = await tx.query<{ count: number }>({ name: 'events.index', text: moveSql, values: [orgId, batch] });
      return row?.count ?? 0;
    });
    if (moved < batch) return;
  }
}

const moveSql = `
  with taken as (
    delete from event_term_pending where org_id = $1 and seq in (
      select seq from event_term_pending where org_id = $1 order by seq limit $2 for update skip locked)
    returning as_of, id, terms
  ), moved as (
    insert into event_term (org_id, term, as_of, id)
    select $1, term, as_of, id from taken cross join unnest(terms) as term order by term, as_of, id
  )
  select count(*) as count from taken`;
