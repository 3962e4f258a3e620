import type { ContextFilter } from '@sightline/contract/timeline/contexts.ts';
import { appendEntries } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import { timeArray, uuidArray } from '#database/arrays.ts';
import type { Database, Tx } from '#database/database.ts';
import { forgetCopiesOf } from './clickhouse/forget.ts';
import { moveWords, withListsToItself } from './indexing.ts';
import { addPostings } from './late-fields.ts';
import { learn, namesInsert, newNamesOf } from './names.ts';
import type { Fields, NewEvent } from './new-event.ts';
import type { EventPart } from './part.ts';
import { pendingInsert, pendingPostings, pendingRow } from './postings.ts';
import { isKept, keptFrom } from './retention-start.ts';
import { type EventRewrite, rewrite } from './rewritten.ts';
import { type Batch, columnsOf, type EventWithEntry, inputOf, insertOf, prove } from './rows.ts';
import { partsShown, withShown } from './shown.ts';

export interface Appended {
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
): Promise<Appended> {
  const retentionStart = keptFrom(services.config);
  const retained = events.filter((event) => isKept(event, retentionStart));
  if (retained.length === 0) return { added: new Set() };
  const batch = await batchOf(services, tx, orgId, retained);
  const proved = retained.map((event) => prove(withShown(event), batch));
  const added = await append(tx, batch, proved, null);
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
export async function keepContext(tx: Tx, orgId: string, id: string, filters: readonly ContextFilter[]): Promise<void> {
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
export const appendFields = (
  services: Services,
  tx: Tx,
  orgId: string,
  found: readonly { id: string; fields: Fields; known?: Fields }[],
): Promise<void> => addPostings(services, tx, orgId, found);

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
  await forgetCopiesOf(
    services,
    orgId,
    events.map(({ id }) => id),
  );
  await rewrite(tx, orgId, events);
}

/** Runs a transaction without concurrent indexing, after all pending words were moved to the posting lists. */
export async function withEventLists<Result>(
  services: Services,
  database: Database,
  orgId: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  await moveWords(services, orgId);
  return withListsToItself(database, orgId, work);
}

/** The shared values of the rows of these events. */
export async function batchOf(
  services: Services,
  tx: Tx,
  orgId: string,
  events: readonly Pick<NewEvent, 'actor'>[],
): Promise<Batch> {
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
export async function append(
  tx: Tx,
  { orgId, receivedAt }: Batch,
  proved: readonly EventWithEntry[],
  proof: string | null,
): Promise<Set<string>> {
  const written = await tx.query<{ id: string }>({
    name: 'events.append',
    text: `${insertOf('$2', 'coalesce($3::uuid, id)', 4)} from ${inputOf(4)} on conflict do nothing returning id`,
    values: [orgId, receivedAt, proof, ...columnsOf(proved)],
  });
  const added = new Set(written.map((row) => row.id));
  if (added.size > 0) {
    const events = proved.flatMap(({ event }) => (added.has(event.id) ? event : []));
    const parts = partsShown(events);
    await tx.query({
      name: 'events.pending',
      text: `${pendingInsert} values (${pendingRow(2, 4)})`,
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

async function queueNames(tx: Tx, orgId: string, parts: readonly EventPart[]): Promise<void> {
  const newNames = newNamesOf(orgId, parts);
  if (newNames.names.length === 0) return;
  await tx.query({ name: 'events.new-names', text: namesInsert(2), values: [orgId, newNames.names, newNames.terms] });
  tx.afterCommit(() => learn(orgId, parts, newNames));
}
