import type { Tx } from '#database/database.ts';
import { fieldsOf, fieldTerms, mergedFields } from './fields.ts';
import { leavePending } from './late-fields.ts';
import type { NewEvent } from './new-event.ts';
import { filesOf, statusOf } from './refield.ts';
import { thinListsSql } from './retention.ts';
import { shownAs } from './shown.ts';
import { hourOf } from './store/tests.ts';
import { termOf } from './terms.ts';

/** An event with its new summary and details; times as PostgreSQL formats them. */
export interface EventRewrite extends Pick<NewEvent, 'id' | 'kind' | 'source' | 'summary' | 'detail'> {
  asOf: string;
  repo: string | null;
  pr: number | null;
}

/**
 * Replaces the texts of events and their index entries, in a transaction without concurrent indexing. Their hashes do
 * not change.
 */
export async function rewrite(tx: Tx, orgId: string, events: readonly EventRewrite[]): Promise<void> {
  if (events.length === 0) return;
  const ids = events.map(({ id }) => id);
  const times = events.map(({ asOf }) => asOf);
  await tx.query({
    name: '',
    text: `update event e set summary = x.summary::json, detail = x.detail::json
           from unnest($2::uuid[], $3::timestamptz[], $4::text[], $5::text[]) as x(id, as_of, summary, detail)
           where e.org_id = $1 and e.as_of = x.as_of and e.id = x.id`,
    values: [
      orgId,
      ids,
      times,
      events.map(({ summary }) => JSON.stringify(summary)),
      events.map(({ detail }) => JSON.stringify(detail)),
    ],
  });
  const [hours] = await tx.query<{ first: number; last: number }>({
    name: '',
    text: `select min(${hourOf('t')}) as first, max(${hourOf('t')}) as last from unnest($1::timestamptz[]) as t`,
    values: [times],
  });
  await tx.query({ name: '', text: thinListsSql, values: [orgId, ids, hours?.first ?? 0, hours?.last ?? 0] });
  await leavePending(tx, orgId, await indexEntriesOf(tx, orgId, events));
  await tx.query({
    name: '',
    text: `insert into event_copy_pending (org_id, as_of, id)
           select $1::uuid, $3::timestamptz[], $2::uuid[] where exists (select from event_copy where org_id = $1)`,
    values: [orgId, ids, times],
  });
}

async function indexEntriesOf(tx: Tx, orgId: string, events: readonly EventRewrite[]) {
  const read = events.map((event) => {
    const { kind, pr, summary, detail } = event;
    const fields = statusOf({ kind, pr, summary: JSON.stringify(summary), detail: JSON.stringify(detail) });
    const texts = detail.flatMap(({ label, parameter }) => (label === 'Message' ? [parameter.display] : []));
    const words = [summary.phrase.replaceAll(/\{\d+\}/g, ' '), ...texts].join(' ').slice(0, 2000);
    const telling = { ...event, words, fields };
    return { event, shown: shownAs(telling), fields: fieldsOf(telling) };
  });
  const files = await filesOf(
    tx,
    orgId,
    read.map(({ event, fields }) => ({ row: event, sha: [...(fields.get('sha') ?? [])][0] })),
  );
  return read.map(({ event, shown, fields }) => {
    const merged = mergedFields(fields, { file: files.get(event.id) ?? [] });
    const terms = new Set([
      ...shown.terms,
      ...fieldTerms(merged),
      ...(event.pr === null ? [] : [termOf(`pr\n${event.pr}`)]),
    ]);
    return { id: event.id, asOf: event.asOf, fields: merged, terms: [...terms] };
  });
}
