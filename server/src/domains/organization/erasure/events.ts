import type { EventKind, Parameter, Summary } from '@sightline/contract/timeline/events.ts';
import type { ArchivedEventRow } from '#core/archived-events.ts';
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

type EventTextRow = EventTextColumns & Record<string, unknown>;

interface EventTextColumns {
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
  // Later than the rows: an event that is archived meanwhile is found here.
  changed += await eraseArchivedEvents(erasing);
  if (changed > 0) services.newEvents.add(orgId, changed);
  return changed;
}

/** Removes the names from archived events, whose segments are replaced. */
function eraseArchivedEvents(erasing: ErasureContext): Promise<number> {
  const { services, orgId, erasureId, persons, scrub } = erasing;
  const needles = scrub.needles
    .map((needle) => needle.toLowerCase())
    .flatMap((needle) => [needle, JSON.stringify(needle).slice(1, -1)]);
  const isConcerned = ({ actor, summary, detail }: ArchivedEventRow) => {
    if (actor !== null && persons.includes(actor)) return true;
    const texts = [summary.toLowerCase(), detail.toLowerCase()];
    return needles.some((needle) => texts.some((text) => text.includes(needle)));
  };
  return services.archivedEvents.rewriteTexts(
    orgId,
    (row) =>
      isConcerned(row)
        ? rewrittenEvent(
            { ...row, asOf: row.as_of, kind: row.kind as EventKind, pr: row.pr === null ? null : Number(row.pr) },
            erasing,
          )
        : undefined,
    // Before the texts change, so that a check of the ledger in between does not report them.
    (ids) => services.erasure.withOrg(orgId, (tx) => markRowsErased(tx, orgId, erasureId, ids)).then(() => undefined),
  );
}

function rewrittenEvent(row: EventTextColumns, { persons, scrub }: ErasureContext) {
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
    const unused = await tx.query<{ field: string; value: string; term: number }>({
      name: '',
      text: unusedNamesSql,
      values: [orgId, scrub.needles, words],
    });
    const archived = await services.archivedEvents.findTerms(orgId, new Set(unused.map(({ term }) => term)));
    const deleted = unused.filter(({ term }) => !archived.has(term));
    await tx.query({
      name: '',
      text: `delete from posting_name p using unnest($2::text[], $3::text[]) as d(field, value)
             where p.org_id = $1 and p.field = d.field and p.value = d.value`,
      values: [orgId, deleted.map(({ field }) => field), deleted.map(({ value }) => value)],
    });
    return deleted.length;
  });

const unusedNamesSql = `
  with n as materialized (${patternsSql('$2')})
  select p.field, p.value, p.term from posting_name p, n
  where p.org_id = $1 and (p.value like any(n.patterns) or (p.field = 'word' and p.value = any($3::text[])))
    and not exists (select from posting_list l where l.org_id = $1 and l.term = p.term)`;
