import type { EventKind, Parameter, Summary } from '@sightline/contract/timeline/events.ts';
import { parsedEventTexts } from '#core/event-text.ts';
import type { Database, Tx } from '#database/database.ts';
import type { ErasureContext } from './erasure-context.ts';
import { markRowsErased } from './mark-rows-erased.ts';
import { erasedName } from './scrub.ts';
import { patternsSql } from './tables.ts';

/** An event with its new summary and details; times as PostgreSQL formats them. */
interface RewrittenEvent {
  id: string;
  asOf: string;
  kind: EventKind;
  source: string;
  repo: string | null;
  pr: number | null;
  summary: Summary;
  detail: Detail;
}

declare module '#core/services.ts' {
  interface Services {
    /** Changes the texts of events for erasures. */
    eventTexts: {
      /** Runs a transaction without concurrent indexing, after all pending words were moved to the posting lists. */
      withLists: <Result>(
        services: Services,
        database: Database,
        orgId: string,
        work: (tx: Tx) => Promise<Result>,
      ) => Promise<Result>;
      /** Replaces the texts of events, in a transaction of `withLists`; their hashes and proofs do not change. */
      rewrite: (services: Services, tx: Tx, orgId: string, events: readonly RewrittenEvent[]) => Promise<void>;
    };
    /** Deletes the bundle files of an organization, which are recreated on demand. Returns their number. */
    deleteBundleFiles: (orgId: string) => Promise<number>;
  }
}

interface EventTextRow extends Record<string, unknown> {
  id: string;
  asOf: string;
  kind: EventKind;
  actor: string | null;
  repo: string | null;
  pr: number | null;
  source: string;
  summary: string;
  detail: string;
}

const eventsPerBatch = 500;
const startCursor = { asOf: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Removes the names from the summaries and details of events, and the events from the lists of removed words. */
export async function eraseEvents(erasing: ErasureContext): Promise<number> {
  const { services, orgId, erasureId, persons, scrub } = erasing;
  let cursor = startCursor;
  let changed = 0;
  for (;;) {
    const rows = await services.eventTexts.withLists(services, services.erasure, orgId, async (tx) => {
      const found = await tx.query<EventTextRow>({
        name: '',
        text: foundSql,
        values: [orgId, scrub.needles, persons, cursor.asOf, cursor.id, eventsPerBatch],
      });
      const rewrites = found.flatMap((row) => rewrittenEvent(row, erasing) ?? []);
      const ids = rewrites.map(({ id }) => id);
      await services.eventTexts.rewrite(services, tx, orgId, rewrites);
      await markRowsErased(tx, orgId, erasureId, ids);
      changed += rewrites.length;
      return found;
    });
    const last = rows.at(-1);
    if (last === undefined || rows.length < eventsPerBatch) break;
    cursor = last;
  }
  if (changed > 0) services.newEvents.add(orgId, changed);
  return changed;
}

function rewrittenEvent(row: EventTextRow, { persons, scrub }: ErasureContext) {
  const before = parsedEventTexts(row);
  const after = scrub.value(before) as typeof before;
  const [subject] = after.summary.parameters;
  // The first parameter is the actor, under any name.
  if (row.actor !== null && persons.includes(row.actor) && subject?.kind === 'user') {
    after.summary.parameters[0] = { kind: 'user', display: erasedName, ident: '' };
  }
  const { id, asOf, kind, source, repo, pr } = row;
  return JSON.stringify(after) === JSON.stringify(before) ? undefined : { id, asOf, kind, source, repo, pr, ...after };
}

type Detail = { label: string; parameter: Parameter }[];

// Events that still await indexing arrived after the erasure and belong to a new person.
const foundSql = `
  with n as materialized (${patternsSql('$2')}), waiting as materialized (
    select distinct unnest(id) as id from posting_pending where org_id = $1 and not late
  )
  select id, as_of::text as "asOf", kind, actor, repo, pr, source, summary, detail from event, n
  where org_id = $1 and (as_of, id) > ($4::timestamptz, $5::uuid)
    and (actor = any($3::uuid[]) or lower(summary) like any(n.patterns) or lower(detail) like any(n.patterns))
    and id not in (select id from waiting)
  order by as_of, id limit $6`;

/** Deletes names from the dictionary of words if no event contains them anymore. */
export const eraseEventNames = ({ services, orgId, scrub }: ErasureContext): Promise<number> =>
  services.eventTexts.withLists(services, services.erasure, orgId, async (tx) => {
    const words = scrub.needles.flatMap((needle) => needle.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
    const deleted = await tx.query({ name: '', text: namesSql, values: [orgId, scrub.needles, words] });
    return deleted.length;
  });

const namesSql = `
  with n as materialized (${patternsSql('$2')})
  delete from posting_name p using n
  where p.org_id = $1 and (p.value like any(n.patterns) or (p.field = 'word' and p.value = any($3::text[])))
    and not exists (select from posting_list l where l.org_id = $1 and l.term = p.term)
  returning p.value`;
