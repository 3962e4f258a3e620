import { hash } from 'node:crypto';
import { newId } from '#core/ids.ts';
import { type Entry, entryOf, merkleRoot, type Plain } from '#core/ledger.ts';
import type { NewEvent } from './commands.ts';
import { termsOf } from './words.ts';

export interface Batch {
  orgId: string;
  receivedAt: string;
  /** The keys of the persons who act in it. */
  keys: Map<string, Buffer>;
}

/** The event's ledger entry: its content as one commitment under the key of its actor. */
export function proofOf(event: NewEvent, { orgId, receivedAt, keys }: Batch): Entry {
  const key = event.actor === null ? undefined : keys.get(event.actor);
  const fact = {
    id: event.id,
    org: orgId,
    kind: `event.${event.kind}`,
    asOf: event.asOf,
    receivedAt,
    person: event.actor,
    source: event.source,
    subject: { repository: event.repositoryId, pullRequest: event.pullRequest },
    personal: key ? { content: contentOf(event) } : {},
  };
  return entryOf(fact, key);
}

// A digest: a disclosure carries what it commits to, and the content itself stands in the event's own rows.
const contentOf = (event: NewEvent): Plain =>
  hash('sha256', JSON.stringify([event.summary, event.detail]), 'base64url');

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

/** What is sent to the database for one event; see `input` in commands.ts. */
export function rowOf(event: NewEvent, entry: Entry, proof: string): Record<string, unknown> {
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
    leaf: entry.leafHash.toString('hex'),
    proof,
    terms: `{${termsOf(`${shown} ${event.words}`).join(',')}}`,
  };
}
