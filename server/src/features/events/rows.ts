import { hash } from 'node:crypto';
import { newId } from '#core/ids.ts';
import { type Entry, entryOf, merkleRoot } from '#core/ledger.ts';
import { bytesArray, intArray, textArray, timeArray, uuidArray } from '#database/arrays.ts';
import type { NewEvent } from './commands.ts';

export interface Batch {
  orgId: string;
  receivedAt: string;
  /** The keys of the persons who act in it. */
  keys: Map<string, Buffer>;
}

/** An event with its ledger entry, and what it shows as the texts that are kept. */
export interface Proved {
  event: NewEvent;
  entry: Entry;
  summary: string;
  detail: string;
}

/** Makes the event's ledger entry: its content as one commitment under the key of its actor. */
export function prove(event: NewEvent, { orgId, receivedAt, keys }: Batch): Proved {
  const key = event.actor === null ? undefined : keys.get(event.actor);
  const summary = JSON.stringify(event.summary);
  const detail = JSON.stringify(event.detail);
  const fact = {
    id: event.id,
    org: orgId,
    kind: `event.${event.kind}`,
    asOf: event.asOf,
    receivedAt,
    person: event.actor,
    source: event.source,
    subject: { repository: event.repositoryId, pullRequest: event.pullRequest },
    // A digest: a disclosure carries what it commits to, and the content itself stands in the event's own row.
    personal: key ? { content: hash('sha256', `[${summary},${detail}]`, 'base64url') } : {},
  };
  return { event, entry: entryOf(fact, key), summary, detail };
}

/** One entry for a whole batch: the Merkle root over the leaf hashes in the order of the events' ids. */
export function batchEntry(entries: readonly Entry[], { orgId, receivedAt }: Batch, id = newId()): Entry {
  const ordered = entries.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const root = merkleRoot(ordered.map((entry) => entry.leafHash)).toString('base64url');
  const subject = { count: entries.length, root };
  return entryOf(
    {
      id,
      org: orgId,
      kind: 'event.batch',
      asOf: receivedAt,
      receivedAt,
      person: null,
      source: 'ingest',
      subject,
      personal: {},
    },
    undefined,
  );
}

/** Events as the parameters of `inputOf`, one array for each column. */
export const columnsOf = (events: readonly Proved[]): [ids: Buffer, times: Buffer, ...others: Buffer[]] => [
  uuidArray(events.map(({ event }) => event.id)),
  timeArray(events.map(({ event }) => event.asOf)),
  textArray(events.map(({ event }) => event.kind)),
  uuidArray(events.map(({ event }) => event.actor)),
  uuidArray(events.map(({ event }) => event.repositoryId)),
  intArray(events.map(({ event }) => event.pullRequest)),
  textArray(events.map(({ event }) => event.source)),
  textArray(
    events.map(({ summary }) => summary),
    'json',
  ),
  textArray(
    events.map(({ detail }) => detail),
    'json',
  ),
  bytesArray(events.map(({ entry }) => entry.leafHash)),
];

const types = ['uuid', 'timestamptz', 'text', 'uuid', 'uuid', 'int', 'text', 'json', 'json', 'bytea'];

/** The rows of `columnsOf`, whose parameters begin at `from`. */
export const inputOf = (from: number): string =>
  `unnest(${types.map((type, index) => `$${from + index}::${type}[]`).join(', ')})
   as input(id, as_of, kind, actor, repo, pr, source, summary, detail, leaf)`;

/** Inserts what stands in `input`; under `$1`, the organisation. */
export const insertOf = (receivedAt: string, proof: string): string =>
  `insert into event (org_id, id, as_of, received_at, kind, actor, repo, pr, source, summary, detail, leaf_hash, proof)
   select $1, id, as_of, ${receivedAt}::timestamptz, kind, actor, repo, pr, source, summary, detail, leaf, ${proof}`;
