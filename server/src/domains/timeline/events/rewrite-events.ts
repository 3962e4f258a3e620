import { shortEventTexts } from '#core/event-text.ts';
import type { Tx } from '#database/database.ts';
import { filesOfCommitEvents, statusFromSentence } from './add-missing-fields.ts';
import { fieldTerms, fieldValuesOf, mergeFields } from './fields.ts';
import { queueLateTerms } from './late-fields.ts';
import type { NewEvent } from './new-event.ts';
import { thinListsSql } from './retention.ts';
import { hourSql } from './store/tests.ts';
import { storedTextOf } from './stored-text.ts';
import { hashTerm } from './terms.ts';

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
export async function rewriteEventTexts(tx: Tx, orgId: string, events: readonly EventRewrite[]): Promise<void> {
  if (events.length === 0) return;
  const ids = events.map(({ id }) => id);
  const times = events.map(({ asOf }) => asOf);
  const texts = events.map(({ summary, detail }) =>
    shortEventTexts({ summary: JSON.stringify(summary), detail: JSON.stringify(detail) }),
  );
  await tx.query({
    name: '',
    text: `update event e set summary = x.summary, detail = x.detail
           from unnest($2::uuid[], $3::timestamptz[], $4::text[], $5::text[]) as x(id, as_of, summary, detail)
           where e.org_id = $1 and e.as_of = x.as_of and e.id = x.id`,
    values: [orgId, ids, times, texts.map(({ summary }) => summary), texts.map(({ detail }) => detail)],
  });
  const [hours] = await tx.query<{ first: number; last: number }>({
    name: '',
    text: `select min(${hourSql('t')}) as first, max(${hourSql('t')}) as last from unnest($1::timestamptz[]) as t`,
    values: [times],
  });
  await tx.query({ name: '', text: thinListsSql, values: [orgId, ids, hours?.first ?? 0, hours?.last ?? 0] });
  await queueLateTerms(tx, orgId, await indexEntriesOf(tx, orgId, events));
  await tx.query({
    name: '',
    text: `insert into event_copy_pending (org_id, as_of, id)
           select $1::uuid, $3::timestamptz[], $2::uuid[] where exists (select from event_copy where org_id = $1)`,
    values: [orgId, ids, times],
  });
}

/** The terms and field values of events with new texts. */
export async function indexEntriesOf(tx: Tx, orgId: string, events: readonly EventRewrite[]) {
  const read = events.map((event) => {
    const { kind, pr, summary, detail } = event;
    const fields = statusFromSentence({ kind, pr, summary: JSON.stringify(summary), detail: JSON.stringify(detail) });
    const texts = detail.flatMap(({ label, parameter }) => (label === 'Message' ? [parameter.display] : []));
    const words = [summary.phrase.replaceAll(/\{\d+\}/g, ' '), ...texts].join(' ').slice(0, 2000);
    const content = { ...event, words, fields };
    return { event, text: storedTextOf(content), fields: fieldValuesOf(content) };
  });
  const files = await filesOfCommitEvents(
    tx,
    orgId,
    read.map(({ event, fields }) => ({ row: event, sha: [...(fields.get('sha') ?? [])][0] })),
  );
  return read.map(({ event, text, fields }) => {
    const merged = mergeFields(fields, { file: files.get(event.id) ?? [] });
    const terms = new Set([
      ...text.terms,
      ...fieldTerms(merged),
      ...(event.pr === null ? [] : [hashTerm(`pr\n${event.pr}`)]),
    ]);
    return { id: event.id, asOf: event.asOf, fields: merged, terms: [...terms] };
  });
}
