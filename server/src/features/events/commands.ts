import type { EventKind, Parameter, Summary } from '@sightline/contract/events.ts';
import { newId } from '#core/ids.ts';
import { appendEntries } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type Batch, batchEntry, proofOf, rowOf } from './rows.ts';

export interface NewEvent {
  /** The message's own id, or one derived from the fact it tells: a resend is the same event. */
  id: string;
  kind: EventKind;
  /** RFC 3339 UTC. */
  asOf: string;
  /** The person who did it, where known. */
  actor: string | null;
  repositoryId: string | null;
  pullRequest: number | null;
  source: string;
  summary: Summary;
  detail: { label: string; parameter: Parameter }[];
  /** What the event is found by, beside the words of its summary. */
  words: string;
}

export interface Appended {
  /** Ids that were not there before. */
  added: Set<string>;
}

/**
 * Writes facts of a code host as events, each with its details, words and ledger entry, in the caller's transaction.
 */
export async function appendFacts(
  services: Services,
  tx: Tx,
  orgId: string,
  events: readonly NewEvent[],
): Promise<Appended> {
  if (events.length === 0) return { added: new Set() };
  const batch = await batchOf(services, tx, orgId, events);
  const entries = new Map(events.map((event) => [event.id, proofOf(event, batch)]));
  const rows = events.flatMap((event) => {
    const entry = entries.get(event.id);
    return entry ? [rowOf(event, entry, event.id)] : [];
  });
  const added = await append(tx, batch, rows);
  await appendEntries(
    tx,
    orgId,
    [...added].flatMap((id) => entries.get(id) ?? []),
  );
  if (added.size > 0) tx.afterCommit(() => services.newEvents.ring(orgId, added.size));
  return { added };
}

/**
 * Writes a client's events under one ledger entry: the Merkle root over those that are new. All new is the rule, so
 * that is tried in a single statement; a resent event among them makes it go step by step.
 */
export async function appendBatch(services: Services, orgId: string, events: readonly NewEvent[]): Promise<Appended> {
  if (events.length === 0) return { added: new Set() };
  const keysKnown = services.people.openedKeys(events.flatMap((event) => event.actor ?? []));
  const quick =
    keysKnown &&
    (await appendAtOnce(services, { orgId, receivedAt: new Date().toISOString(), keys: keysKnown }, events));
  const added = quick || (await services.database.withOrg(orgId, (tx) => appendInSteps(services, tx, orgId, events)));
  if (added.size > 0) services.newEvents.ring(orgId, added.size);
  return { added };
}

async function appendAtOnce(
  services: Services,
  batch: Batch,
  events: readonly NewEvent[],
): Promise<Set<string> | undefined> {
  const proof = newId();
  const entries = events.map((event) => proofOf(event, batch));
  const root = batchEntry(entries, batch, proof);
  const rows = events.flatMap((event, index) => (entries[index] ? [rowOf(event, entries[index], proof)] : []));
  try {
    await services.database.onceWithOrg(batch.orgId, {
      name: 'events.batch',
      text: batchSql,
      values: [JSON.stringify(rows), batch.receivedAt, root.id, root.kind, root.text, root.leafHash, rows.length],
    });
    return new Set(events.map((event) => event.id));
  } catch (error) {
    if ((error as { code?: string }).code === notNull) return undefined;
    throw error;
  }
}

async function appendInSteps(
  services: Services,
  tx: Tx,
  orgId: string,
  events: readonly NewEvent[],
): Promise<Set<string>> {
  const batch = await batchOf(services, tx, orgId, events);
  const proof = newId();
  const entries = new Map(events.map((event) => [event.id, proofOf(event, batch)]));
  const rows = events.flatMap((event) => {
    const entry = entries.get(event.id);
    return entry ? [rowOf(event, entry, proof)] : [];
  });
  const added = await append(tx, batch, rows);
  const fresh = [...added].flatMap((id) => entries.get(id) ?? []);
  if (fresh.length > 0) await appendEntries(tx, orgId, [batchEntry(fresh, batch, proof)]);
  return added;
}

async function batchOf(services: Services, tx: Tx, orgId: string, events: readonly NewEvent[]): Promise<Batch> {
  const keys = await services.people.keys(
    tx,
    orgId,
    events.flatMap((event) => event.actor ?? []),
  );
  return { orgId, receivedAt: new Date().toISOString(), keys };
}

async function append(tx: Tx, { orgId, receivedAt }: Batch, rows: readonly object[]): Promise<Set<string>> {
  const written = await tx.query<{ id: string }>({
    name: 'events.append',
    text: `with input as (select * from ${inputOf('$2')}), ${insertsOf('$3')} select id from added`,
    values: [orgId, JSON.stringify(rows), receivedAt],
  });
  return new Set(written.map((row) => row.id));
}

const inputOf = (rows: string) => `json_to_recordset(${rows}::json) as x(
  id uuid, as_of timestamptz, kind text, actor uuid, repo uuid, pr int, source text,
  summary json, detail json, leaf text, proof uuid, terms bigint[])`;

const insertsOf = (receivedAt: string) => `
  added as (
    insert into event (org_id, id, as_of, received_at, kind, actor, repo, pr, source, summary, leaf_hash, proof)
    select $1, id, as_of, ${receivedAt}, kind, actor, repo, pr, source, summary, decode(leaf, 'hex'), proof from input
    on conflict do nothing returning id
  ), details as (
    insert into event_detail (org_id, as_of, id, detail)
    select $1, as_of, id, detail from input join added using (id) on conflict do nothing
  ), terms as (
    insert into event_term_pending (org_id, as_of, id, terms)
    select $1, as_of, id, terms from input join added using (id)
  )`;

const notNull = '23502';
// The root was made over all of them. If one is not new, the null in place of the leaf hash refuses the statement whole.
const batchSql = `
  input as (select x.* from tenant, ${inputOf('$2')}), ${insertsOf('$3')}
  insert into ledger_pending (org_id, entry_id, kind, entry, leaf_hash)
  select $1, $4, $5, $6, case when (select count(*) from added) = $8 then $7::bytea end from tenant`;
