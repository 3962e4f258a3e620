import type { EventKind, Parameter, Summary } from '@sightline/contract/events.ts';
import { newId } from '#core/ids.ts';
import { appendEntries, type Entry, entryOf, merkleRoot, type Plain } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { termOf, wordsOf } from './words.ts';

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
 * Writes events with their details, words and ledger entries in the caller's transaction.
 * `ledger`: one entry for each event (facts of a code host), or one with the Merkle root over all (a client's batch).
 */
export async function appendEvents(
  services: Services,
  tx: Tx,
  orgId: string,
  events: readonly NewEvent[],
  ledger: 'each' | 'batch',
): Promise<Appended> {
  if (events.length === 0) return { added: new Set() };
  const receivedAt = new Date().toISOString();
  const actors = events.flatMap((event) => event.actor ?? []);
  const keys = await services.people.keys(tx, orgId, actors);
  const entries = new Map(events.map((event) => [event.id, proofOf(event, orgId, receivedAt, keys)]));
  const rows = events.map((event) => rowOf(event, entries.get(event.id)));
  const written = await tx.query<{ id: string }>({
    name: 'events.append',
    text: appendSql,
    values: [orgId, JSON.stringify(rows), receivedAt],
  });
  const added = new Set(written.map((row) => row.id));
  const fresh = [...added].flatMap((id) => entries.get(id) ?? []);
  await appendEntries(tx, orgId, ledger === 'each' ? fresh : batchEntry(orgId, receivedAt, fresh));
  if (added.size > 0) {
    tx.afterCommit(() => {
      services.newWords.ring(orgId);
      services.realtime.tell(orgId, 'orgEvents', { count: added.size });
    });
  }
  return { added };
}

const appendSql = `
  with input as (
    select * from jsonb_to_recordset($2::jsonb) as x(
      id uuid, as_of timestamptz, kind text, actor uuid, repo uuid, pr int, source text,
      summary json, detail json, leaf text, terms bigint[])
  ), added as (
    insert into event (org_id, id, as_of, received_at, kind, actor, repo, pr, source, summary, leaf_hash)
    select $1, id, as_of, $3, kind, actor, repo, pr, source, summary, decode(leaf, 'hex') from input
    on conflict do nothing returning id
  ), details as (
    insert into event_detail (org_id, as_of, id, detail)
    select $1, as_of, id, detail from input join added using (id) on conflict do nothing
  ), terms as (
    insert into event_term_pending (org_id, as_of, id, terms)
    select $1, as_of, id, terms from input join added using (id)
  )
  select id from added`;

function rowOf(event: NewEvent, entry: Entry | undefined): Record<string, unknown> {
  const shown = event.summary.parameters.map((parameter) => parameter.display).join(' ');
  return {
    id: event.id,
    as_of: event.asOf,
    kind: event.kind,
    actor: event.actor,
    repo: event.repositoryId,
    pr: event.pullRequest,
    source: event.source,
    summary: event.summary,
    detail: event.detail,
    leaf: entry?.leafHash.toString('hex'),
    terms: `{${wordsOf(`${shown} ${event.words}`).map(termOf).join(',')}}`,
  };
}

/** The event's ledger entry: its content as one commitment under the key of its actor. */
function proofOf(event: NewEvent, orgId: string, receivedAt: string, keys: Map<string, Buffer>): Entry {
  const key = event.actor === null ? undefined : keys.get(event.actor);
  return entryOf(
    {
      id: event.id,
      org: orgId,
      kind: `event.${event.kind}`,
      asOf: event.asOf,
      receivedAt,
      person: event.actor,
      source: event.source,
      subject: { repository: event.repositoryId, pullRequest: event.pullRequest },
      personal: key ? { content: contentOf(event) } : {},
    },
    key,
  );
}

// One string, since a commitment needs the bytes and not the shape: stringify is many times faster than our canonical form.
const contentOf = (event: NewEvent): Plain => JSON.stringify([event.summary, event.detail]);

function batchEntry(orgId: string, receivedAt: string, entries: readonly Entry[]): Entry[] {
  if (entries.length === 0) return [];
  const id = newId();
  const root = merkleRoot(entries.map((entry) => entry.leafHash)).toString('base64url');
  const subject = { count: entries.length, root };
  const fact = {
    id,
    org: orgId,
    kind: 'event.batch',
    asOf: receivedAt,
    receivedAt,
    person: null,
    source: 'ingest',
    subject,
    personal: {},
  };
  return [entryOf(fact, undefined)];
}
