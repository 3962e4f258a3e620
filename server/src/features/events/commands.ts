import type { EventKind, Parameter, Summary } from '@sightline/contract/events.ts';
import { appendEntries } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type Batch, proofOf, rowOf } from './rows.ts';

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

/** What the rows of these events have in common. */
export async function batchOf(services: Services, tx: Tx, orgId: string, events: readonly NewEvent[]): Promise<Batch> {
  const keys = await services.people.keys(
    tx,
    orgId,
    events.flatMap((event) => event.actor ?? []),
  );
  return { orgId, receivedAt: new Date().toISOString(), keys };
}

/** Writes rows that are new; answers their ids. */
export async function append(tx: Tx, { orgId, receivedAt }: Batch, rows: readonly object[]): Promise<Set<string>> {
  const written = await tx.query<{ id: string }>({
    name: 'events.append',
    text: `with input as (select * from ${inputOf('$2')}), ${insertsOf('$3')} select id from added`,
    values: [orgId, JSON.stringify(rows), receivedAt],
  });
  return new Set(written.map((row) => row.id));
}

export const inputOf = (rows: string) => `json_to_recordset(${rows}::json) as x(
  id uuid, as_of timestamptz, kind text, actor uuid, repo uuid, pr int, source text,
  summary json, detail json, leaf text, proof uuid, terms bigint[])`;

export const insertsOf = (receivedAt: string) => `
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
