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
  /** Ids that were not there before. */
  added: Set<string>;
}

/**
 * Writes facts of a code host as events, each with its details, words and ledger entry, in the caller's transaction.
 * What is older than events are kept is passed over.
 */
export async function appendFacts(
  services: Services,
  tx: Tx,
  orgId: string,
  events: readonly NewEvent[],
): Promise<Appended> {
  const kept = keptFrom(services.config);
  const young = events.filter((event) => isKept(event, kept));
  if (young.length === 0) return { added: new Set() };
  const batch = await batchOf(services, tx, orgId, young);
  const proved = young.map((event) => prove(withShown(event), batch));
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

/** Keeps what a link into Explore asks for, under an id made of it. */
export async function keepContext(tx: Tx, orgId: string, id: string, filters: readonly ContextFilter[]): Promise<void> {
  await tx.db
    .insertInto('context')
    .values({ org_id: orgId, id, filters: JSON.stringify(filters) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Lets events be found by fields that were learnt after them, such as the files of a commit. What they are found by already is
 * told as `known`: what is told twice is found twice. Ids of events that are not there are passed over.
 */
export const appendFields = (
  services: Services,
  tx: Tx,
  orgId: string,
  found: readonly { id: string; fields: Fields; known?: Fields }[],
): Promise<void> => addPostings(services, tx, orgId, found);

/**
 * Writes other words into events, and lets them be found by those alone. `tx` is of `withEventLists`; hashes and proofs stay as
 * they were.
 */
export async function rewriteEvents(
  services: Services,
  tx: Tx,
  orgId: string,
  events: readonly EventRewrite[],
): Promise<void> {
  // The copies first: after a crash in between the same events are found and sent again.
  await forgetCopiesOf(
    services,
    orgId,
    events.map(({ id }) => id),
  );
  await rewrite(tx, orgId, events);
}

/** A transaction in which no words are moved into the lists that events are found by; all that waited are in them before. */
export async function withEventLists<Result>(
  services: Services,
  database: Database,
  orgId: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  await moveWords(services, orgId);
  return withListsToItself(database, orgId, work);
}

/** What the rows of these events have in common. */
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
 * Writes events that are new, and leaves their words to be indexed; answers the ids of the new ones. `proof` is the ledger
 * entry of them all, or null where each has its own.
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
    await noteNames(tx, orgId, parts);
  }
  return added;
}

async function noteNames(tx: Tx, orgId: string, parts: readonly EventPart[]): Promise<void> {
  const fresh = newNamesOf(orgId, parts);
  if (fresh.names.length === 0) return;
  await tx.query({ name: 'events.new-names', text: namesInsert(2), values: [orgId, fresh.names, fresh.terms] });
  tx.afterCommit(() => learn(orgId, parts, fresh));
}
