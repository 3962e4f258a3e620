import { createBatcher } from '#core/gather.ts';
import { newId } from '#core/ids.ts';
import { appendEntries } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type AppendedEvents, createEventBatch, insertEvents } from './commands.ts';
import { namesInsertSql, newNamesOf, rememberWrittenNames } from './names.ts';
import type { EventPart } from './part.ts';
import { listsInsertSql, pendingInputSize, pendingInsertSql, pendingRowSql, postingsOf } from './postings.ts';
import {
  createBatchEntry,
  createEventEntry,
  eventColumnsOf,
  eventInputSize,
  eventInputSql,
  eventInsertSql,
} from './rows.ts';
import { lastArchivedIds } from './segments/archived-ids.ts';
import { type EventWithText, searchablePartsOf } from './stored-text.ts';

/** Writes the events of a client under one ledger entry: the Merkle root over the new ones. */
export type EventIntake = (orgId: string, events: readonly EventWithText[]) => Promise<AppendedEvents>;

// Maximum events per statement; more events are faster over another connection.
const maxEvents = 500;

/**
 * Combines batches that arrive during a write. Events are usually new, so one statement first tries to write all of
 * them under one root. If one was resent, each batch is written separately, and the batch with the resent event in
 * steps.
 */
export function createEventIntake(services: Services): EventIntake {
  const gather = createBatcher<readonly EventWithText[], AppendedEvents>({
    // While PostgreSQL writes one statement, the next is prepared.
    runs: 2,
    most: maxEvents,
    weigh: (events) => events.length,
    run: (orgId, batches) => write(services, orgId, batches),
  });
  return (orgId, events) => (events.length === 0 ? Promise.resolve({ added: new Set() }) : gather(orgId, events));
}

async function write(
  services: Services,
  orgId: string,
  batches: readonly (readonly EventWithText[])[],
): Promise<AppendedEvents[]> {
  const events = batches.flat();
  if (!(await allAtOnce(services, orgId, events))) {
    if (batches.length > 1) throw new Error('Not all events are new');
    const appended = await services.database.withOrg(orgId, (tx) => inSteps(services, tx, orgId, events));
    if (appended.added.size > 0) services.newEvents.add(orgId, appended.added.size);
    return [appended];
  }
  services.newEvents.add(orgId, events.length);
  return batches.map((batch) => ({ added: new Set(batch.map(({ id }) => id)) }));
}

/** Returns false if an event is not new, a key is not cached, or the IDs of archived events are not. */
async function allAtOnce(services: Services, orgId: string, events: readonly EventWithText[]): Promise<boolean> {
  const keys = services.people.openedKeys(events.flatMap((event) => event.actor ?? []));
  if (!keys) return false;
  const archived = lastArchivedIds(orgId);
  if (archived.version > 0 && events.some(({ id }) => archived.mayHave(id))) return false;
  const batch = { orgId, receivedAt: new Date().toISOString(), keys };
  const proved = events.map((event) => createEventEntry(event, batch));
  const root = createBatchEntry(
    proved.map(({ entry }) => entry),
    batch,
  );
  const { id, kind, text, leafHash } = root;
  const columns = eventColumnsOf(proved);
  await queueNames(services, orgId, searchablePartsOf(events));
  const { pending, lists } = postingsOf(events, columns[0], columns[1]);
  try {
    const values = [batch.receivedAt, id, kind, text, leafHash, archived.version, ...columns, ...pending];
    await services.database.onceWithOrg(
      orgId,
      lists
        ? { name: 'events.batch', text: batchWithListsSql, values: [...values, ...lists] }
        : { name: 'events.batch-pending', text: batchSql, values },
    );
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === notUnique || code === archiveChanged) return false;
    throw error;
  }
}

/** Queues names before their events are written; a name without events is harmless. */
async function queueNames({ database }: Services, orgId: string, parts: readonly EventPart[]): Promise<void> {
  const newNames = newNamesOf(orgId, parts);
  if (newNames.names.length === 0) return;
  await database.onceWithOrg(orgId, {
    name: 'events.names-first',
    text: ` ${namesInsertSql(2)} from tenant`,
    values: [newNames.names, newNames.terms],
  });
  rememberWrittenNames(orgId, parts, newNames);
}

async function inSteps(
  services: Services,
  tx: Tx,
  orgId: string,
  events: readonly EventWithText[],
): Promise<AppendedEvents> {
  const batch = await createEventBatch(services, tx, orgId, events);
  const proof = newId();
  const proved = events.map((event) => createEventEntry(event, batch));
  const added = await insertEvents(services, tx, batch, { proved, proof });
  const newEntries = proved.flatMap(({ entry }) => (added.has(entry.id) ? entry : []));
  if (newEntries.length > 0) await appendEntries(tx, orgId, [createBatchEntry(newEntries, batch, proof)]);
  return { added };
}

const notUnique = '23505';
/** A division by zero. */
const archiveChanged = '22012';
// The root covers all events, so that one existing event makes the statement fail, and so does another version of the
// archive than the one whose events are known here. The version is read after the events were written.
const eventsFrom = 8;
const pendingFrom = eventsFrom + eventInputSize;
const listsFrom = pendingFrom + pendingInputSize;
const batchSqlOf = (lists: string) => `,
  event as (${eventInsertSql('$2', '$3', eventsFrom)} from tenant cross join ${eventInputSql(eventsFrom)} returning id),
  pending as (${pendingInsertSql} select ${pendingRowSql(eventsFrom, pendingFrom)} from tenant)${lists}
  insert into ledger_pending (org_id, entry_id, kind, entry, leaf_hash) select $1, $3, $4, $5, $6::bytea from tenant
  where 1 / (event_archive_version(org, (select count(*) from event)) = $7::bigint)::int = 1`;
// A statement of few events writes no lists, and is shorter without an unused part.
const batchSql = batchSqlOf('');
const batchWithListsSql = batchSqlOf(`,
  lists as (${listsInsertSql(listsFrom)})`);
