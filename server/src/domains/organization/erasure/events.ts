import type { EventKind, Parameter, Summary } from '@sightline/contract/timeline/events.ts';
import type { Database, Tx } from '#database/database.ts';
import type { Erasing } from './erasing.ts';
import { markErased } from './marks.ts';
import { erasedName } from './scrub.ts';
import { patternsSql } from './tables.ts';

/** An event whose sentence and details are other ones from now on; times as PostgreSQL writes them. */
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
    /** How erasures change events. */
    eventTexts: {
      /** A transaction in which no words are moved into the lists that events are found by; all that waited are in them before. */
      withLists: <Result>(
        services: Services,
        database: Database,
        orgId: string,
        work: (tx: Tx) => Promise<Result>,
      ) => Promise<Result>;
      /** Writes other words into events, in a transaction of `withLists`; their hashes and proofs stay as they were. */
      rewrite: (services: Services, tx: Tx, orgId: string, events: readonly RewrittenEvent[]) => Promise<void>;
    };
    /** Deletes the bundles of an organization that were written to disk; they are made again when they are asked for. Answers how many. */
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

const batch = 500;
const first = { asOf: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Takes the names out of the sentences and details of events, and those events out of the lists of words that are gone. */
export async function eraseEvents(erasing: Erasing): Promise<number> {
  const { services, orgId, erasureId, persons, scrub } = erasing;
  let behind = first;
  let changed = 0;
  for (;;) {
    const rows = await services.eventTexts.withLists(services, services.erasure, orgId, async (tx) => {
      const found = await tx.query<EventTextRow>({
        name: '',
        text: foundSql,
        values: [orgId, scrub.needles, persons, behind.asOf, behind.id, batch],
      });
      const fresh = found.flatMap((row) => rewritten(row, erasing) ?? []);
      const ids = fresh.map(({ id }) => id);
      await services.eventTexts.rewrite(services, tx, orgId, fresh);
      await markErased(tx, orgId, erasureId, ids);
      changed += fresh.length;
      return found;
    });
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch) break;
    behind = last;
  }
  if (changed > 0) services.newEvents.add(orgId, changed);
  return changed;
}

function rewritten(row: EventTextRow, { persons, scrub }: Erasing) {
  const before = { summary: JSON.parse(row.summary) as Summary, detail: JSON.parse(row.detail) as Detail };
  const after = scrub.value(before) as typeof before;
  const [subject] = after.summary.parameters;
  // Whoever did it stands first, by whatever name.
  if (row.actor !== null && persons.includes(row.actor) && subject?.kind === 'user') {
    after.summary.parameters[0] = { kind: 'user', display: erasedName, ident: '' };
  }
  const { id, asOf, kind, source, repo, pr } = row;
  return JSON.stringify(after) === JSON.stringify(before) ? undefined : { id, asOf, kind, source, repo, pr, ...after };
}

type Detail = { label: string; parameter: Parameter }[];

// What still waits for its lists came after the person was erased: it tells of somebody new.
const foundSql = `
  with n as materialized (${patternsSql('$2')}), waiting as materialized (
    select distinct unnest(id) as id from posting_pending where org_id = $1 and not late
  )
  select id, as_of::text as "asOf", kind, actor, repo, pr, source, summary::text, detail::text from event, n
  where org_id = $1 and (as_of, id) > ($4::timestamptz, $5::uuid)
    and (actor = any($3::uuid[]) or lower(summary::text) like any(n.patterns) or lower(detail::text) like any(n.patterns))
    and id not in (select id from waiting)
  order by as_of, id limit $6`;

/** Takes the names out of the dictionary of words, those that no event has any longer. */
export const eraseEventNames = ({ services, orgId, scrub }: Erasing): Promise<number> =>
  services.eventTexts.withLists(services, services.erasure, orgId, async (tx) => {
    const words = scrub.needles.flatMap((needle) => needle.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
    const gone = await tx.query({ name: '', text: namesSql, values: [orgId, scrub.needles, words] });
    return gone.length;
  });

const namesSql = `
  with n as materialized (${patternsSql('$2')})
  delete from posting_name p using n
  where p.org_id = $1 and (p.value like any(n.patterns) or (p.field = 'word' and p.value = any($3::text[])))
    and not exists (select from posting_list l where l.org_id = $1 and l.term = p.term)
  returning p.value`;
