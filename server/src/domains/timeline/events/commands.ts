import type { ContextFilter } from '@sightline/contract/timeline/contexts.ts';
import { appendEntries } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import { timeArray, uuidArray } from '#database/arrays.ts';
import type { Database, Tx } from '#database/database.ts';
import { deleteEventCopies } from './clickhouse/forget.ts';
import { indexPendingWords, withoutIndexing } from './indexing.ts';
import { queueFields } from './late-fields.ts';
import { namesInsertSql, newNamesOf, rememberWrittenNames } from './names.ts';
import type { EventFieldValues, NewEvent } from './new-event.ts';
import type { EventPart } from './part.ts';
import { pendingInsertSql, pendingPostings, pendingRowSql } from './postings.ts';
import { isKept, retentionStartOf } from './retention-start.ts';
import { type EventRewrite, rewriteEventTexts } from './rewrite-events.ts';
import {
  createEventEntry,
  type EventBatch,
  type EventWithEntry,
  eventColumnsOf,
  eventInputSql,
  eventInsertSql,
} from './rows.ts';
import { archivedEventsOf } from './segments/archived-events.ts';
import { lastArchivedIds, loadArchivedIds } from './segments/archived-ids.ts';
import { findArchivedIds } from './segments/lookup.ts';
import { searchablePartsOf, withStoredText } from './stored-text.ts';

// Part of the public entry of this feature.
export { archivedEventsOf };

export interface AppendedEvents {
  /** The IDs of new events. */
  added: Set<string>;
}

/**
 * Appends facts of a code host as events, each with details, words and ledger entry, in the caller's transaction.
 * Ignores facts before the retention period.
 */
export async function appendFacts(
  services: Services,
  tx: Tx,
  orgId: string,
  events: readonly NewEvent[],
): Promise<AppendedEvents> {
  const retentionStart = retentionStartOf(services.config);
  const retained = events.filter((event) => isKept(event, retentionStart));
  if (retained.length === 0) return { added: new Set() };
  const batch = await createEventBatch(services, tx, orgId, retained);
  const proved = retained.map((event) => createEventEntry(withStoredText(event), batch));
  const added = await insertEvents(services, tx, batch, { proved, proof: null });
  const entries = new Map(proved.map(({ entry }) => [entry.id, entry]));
  await appendEntries(
    tx,
    orgId,
    [...added].flatMap((id) => entries.get(id) ?? []),
  );
  if (added.size > 0) tx.afterCommit(() => services.newEvents.add(orgId, added.size));
  return { added };
}

/** Stores the filters of a link to Explore under an ID derived from them. */
export async function storeContext(
  tx: Tx,
  orgId: string,
  id: string,
  filters: readonly ContextFilter[],
): Promise<void> {
  await tx.db
    .insertInto('context')
    .values({ org_id: orgId, id, filters: JSON.stringify(filters) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Indexes events by fields that arrived later, such as the files of a commit. `known` are the fields that are indexed
 * already, since a repeated field returns an event twice. Ignores unknown event IDs.
 */
export const indexLateFields = (
  services: Services,
  tx: Tx,
  orgId: string,
  found: readonly { id: string; fields: EventFieldValues; known?: EventFieldValues }[],
): Promise<void> => queueFields(services, tx, orgId, found);

/**
 * Replaces the texts of events and their index entries. `tx` is a transaction of `withEventLists`. Hashes and proofs do
 * not change.
 */
export async function rewriteEvents(
  services: Services,
  tx: Tx,
  orgId: string,
  events: readonly EventRewrite[],
): Promise<void> {
  // Deletes the copies first: after a crash, the same events are found and copied again.
  await deleteEventCopies(
    services,
    orgId,
    events.map(({ id }) => id),
  );
  await rewriteEventTexts(tx, orgId, events);
}

/** Runs a transaction without concurrent indexing, after all pending words were moved to the posting lists. */
export async function withEventLists<Result>(
  services: Services,
  database: Database,
  orgId: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  await indexPendingWords(services, orgId);
  return withoutIndexing(database, orgId, work);
}

/** The shared values of the rows of these events. */
export async function createEventBatch(
  services: Services,
  tx: Tx,
  orgId: string,
  events: readonly Pick<NewEvent, 'actor'>[],
): Promise<EventBatch> {
  const keys = await services.people.keys(
    tx,
    orgId,
    events.flatMap((event) => event.actor ?? []),
  );
  return { orgId, receivedAt: new Date().toISOString(), keys };
}

/**
 * Inserts new events and queues their words for indexing; returns the IDs of the new ones. `proof` is their common
 * ledger entry, or null if each has its own.
 */
export async function insertEvents(
  services: Services,
  tx: Tx,
  { orgId, receivedAt }: EventBatch,
  { proved, proof }: { proved: readonly EventWithEntry[]; proof: string | null },
): Promise<Set<string>> {
  const written = await tx.query<{ id: string | null; archive: number | null }>({
    name: 'events.append',
    text: `with written as (
             ${eventInsertSql('$2', 'coalesce($3::uuid, id)', 4)} from ${eventInputSql(4)} on conflict do nothing returning id)
           select id, null::bigint as archive from written
           union all select null, event_archive_version($1, (select count(*) from written))`,
    values: [orgId, receivedAt, proof, ...eventColumnsOf(proved)],
  });
  const added = new Set(written.flatMap((row) => row.id ?? []));
  const version = written.find(({ archive }) => archive !== null)?.archive ?? 0;
  await undoArchived(services, tx, orgId, {
    added,
    version,
    times: new Map(proved.map(({ event }) => [event.id, event.asOf])),
  });
  if (added.size > 0) {
    const events = proved.flatMap(({ event }) => (added.has(event.id) ? event : []));
    const parts = searchablePartsOf(events);
    await tx.query({
      name: 'events.pending',
      text: `${pendingInsertSql} values (${pendingRowSql(2, 4)})`,
      values: [
        orgId,
        uuidArray(events.map(({ id }) => id)),
        timeArray(events.map(({ asOf }) => asOf)),
        ...pendingPostings(events),
      ],
    });
    await queueNames(tx, orgId, parts);
  }
  return added;
}

/** Deletes the added events that are archived already, and removes them from `added`. */
async function undoArchived(
  services: Services,
  tx: Tx,
  orgId: string,
  { added, version, times }: { added: Set<string>; version: number; times: ReadonlyMap<string, string> },
): Promise<void> {
  if (added.size === 0 || version === 0) return;
  const known = lastArchivedIds(orgId);
  const { mayHave } = known.version === version ? known : await loadArchivedIds(services.database, orgId);
  const possible = [...added].filter(mayHave);
  if (possible.length === 0) return;
  const archived = await findArchivedIds(
    services,
    orgId,
    possible.map((id) => ({ id, asOf: times.get(id) ?? '' })),
  );
  if (archived.size === 0) return;
  await tx.query({
    name: '',
    text: 'delete from event where org_id = $1 and id = any($2::uuid[])',
    values: [orgId, [...archived]],
  });
  for (const id of archived) added.delete(id);
}

async function queueNames(tx: Tx, orgId: string, parts: readonly EventPart[]): Promise<void> {
  const newNames = newNamesOf(orgId, parts);
  if (newNames.names.length === 0) return;
  await tx.query({
    name: 'events.new-names',
    text: namesInsertSql(2),
    values: [orgId, newNames.names, newNames.terms],
  });
  tx.afterCommit(() => rememberWrittenNames(orgId, parts, newNames));
}
