import { newId } from '#core/ids.ts';
import { createLedgerEntry, type LedgerEntry, merkleRoot } from '#core/ledger.ts';
import { bytesArray, intArray, textArray, timeArray, uuidArray } from '#database/arrays.ts';
import type { EventWithText, StoredText } from './stored-text.ts';

export interface EventBatch {
  orgId: string;
  receivedAt: string;
  /** The keys of the actors of the batch. */
  keys: Map<string, Buffer>;
}

/** An event with its ledger entry. */
export interface EventWithEntry {
  event: EventWithText;
  entry: LedgerEntry;
}

/** Creates the ledger entry of an event, with its content as one commitment under the key of its actor. */
export function createEventEntry(event: EventWithText, { orgId, receivedAt, keys }: EventBatch): EventWithEntry {
  const key = event.actor === null ? undefined : keys.get(event.actor);
  const { kind, source, digest } = event.text;
  const fact = {
    id: event.id,
    org: orgId,
    kind: `event.${kind}`,
    asOf: event.asOf,
    receivedAt,
    person: event.actor,
    source,
    // In canonical order: the serializer need not sort them.
    subject: { pullRequest: event.pullRequest, repository: event.repositoryId },
    // A digest, since a disclosure contains the committed value.
    personal: key ? { content: digest } : {},
  };
  return { event, entry: createLedgerEntry(fact, key) };
}

/** One entry for a batch: the Merkle root over the leaf hashes in the order of the event IDs. */
export function createBatchEntry(
  entries: readonly LedgerEntry[],
  { orgId, receivedAt }: EventBatch,
  id = newId(),
): LedgerEntry {
  const ordered = entries.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const root = merkleRoot(ordered.map((entry) => entry.leafHash)).toString('base64url');
  const subject = { count: entries.length, root };
  return createLedgerEntry(
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

/**
 * Events as the parameters of `eventInputSql`: one array per column, then one array per column of the stored texts, which many
 * events share.
 */
export function eventColumnsOf(proved: readonly EventWithEntry[]): [ids: Buffer, times: Buffer, ...others: Buffer[]] {
  const events = proved.map(({ event }) => event);
  const numbers = new Map<StoredText, number>();
  for (const { text } of events) if (!numbers.has(text)) numbers.set(text, numbers.size + 1);
  const texts = [...numbers.keys()];
  return [
    uuidArray(events.map(({ id }) => id)),
    timeArray(events.map(({ asOf }) => asOf)),
    uuidArray(events.map(({ actor }) => actor)),
    uuidArray(events.map(({ repositoryId }) => repositoryId)),
    intArray(events.map(({ pullRequest }) => pullRequest)),
    bytesArray(proved.map(({ entry }) => entry.leafHash)),
    intArray(events.map(({ text }) => numbers.get(text) ?? null)),
    textArray(texts.map(({ kind }) => kind)),
    textArray(texts.map(({ source }) => source)),
    textArray(texts.map(({ summary }) => summary)),
    textArray(texts.map(({ detail }) => detail)),
  ];
}

const columns = ['uuid', 'timestamptz', 'uuid', 'uuid', 'int', 'bytea', 'int'];
const textColumns = ['text', 'text', 'text', 'text'];
/** The number of parameters of `eventInputSql`. */
export const eventInputSize = columns.length + textColumns.length;

/** SQL of the rows of `eventColumnsOf`, whose parameters start at `from`. */
export const eventInputSql = (from: number): string =>
  `unnest(${columns.map((type, index) => `$${from + index}::${type}[]`).join(', ')})
   as input(id, as_of, actor, repo, pr, leaf, text_number)`;

/** SQL that inserts the rows of `eventInputSql(from)`; `$1` is the organization. */
export function eventInsertSql(receivedAt: string, proof: string, from: number): string {
  const values = textColumns.map((type, index) => `($${from + columns.length + index}::${type}[])[text_number]`);
  return `insert into event (org_id, id, as_of, received_at, actor, repo, pr, leaf_hash, kind, source, summary, detail, proof)
   select $1, id, as_of, ${receivedAt}::timestamptz, actor, repo, pr, leaf, ${values.join(', ')}, ${proof}`;
}
