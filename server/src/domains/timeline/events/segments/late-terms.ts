import { ordinalsOfIds } from '../archive/lookup.ts';
import { rewriteSegments } from './rewrite-segments.ts';
import type { SegmentServices } from './segment-bytes.ts';

/** The number of queued rows that are added to segments at once. */
const ROWS_PER_RUN = 50_000;

/** Adds the terms that were learnt of archived events to their segments. */
export async function addLateTerms(services: SegmentServices, orgId: string): Promise<void> {
  for (;;) {
    const rows = await services.database.withOrg(orgId, (tx) =>
      tx.query<{ seq: number; id: string; terms: number[] }>({
        name: '',
        text: 'select seq, id, terms::float8[] as terms from event_segment_term where org_id = $1 order by seq limit $2',
        values: [orgId, ROWS_PER_RUN],
      }),
    );
    if (rows.length === 0) return;
    const terms = Map.groupBy(rows, ({ id }) => id);
    await rewriteSegments(services, orgId, {
      changesOf: async (_tx, segment) => {
        const found = await ordinalsOfIds(segment, [...terms.keys()]);
        return new Map(
          Array.from(found.keys(), (id) => [id, { moreTerms: (terms.get(id) ?? []).flatMap((row) => row.terms) }]),
        );
      },
    });
    // Adding a term again has no effect, so an interrupted run can be repeated.
    await services.database.withOrg(orgId, (tx) =>
      tx.query({
        name: '',
        text: 'delete from event_segment_term where org_id = $1 and seq = any($2::bigint[])',
        values: [orgId, rows.map(({ seq }) => seq)],
      }),
    );
  }
}
