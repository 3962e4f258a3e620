import { setImmediate } from 'node:timers/promises';
import type { ArchivedEvent } from './archived-event.ts';
import { InvalidSegment } from './bytes.ts';
import { forEachInlineOrdinal, longerListOf } from './directory.ts';
import { MAX_POSTINGS } from './layout.ts';
import { forEachInList } from './lists.ts';
import { type ArchivedColumn, type ArchivedRow, readRows } from './rows.ts';
import type { Segment } from './segment.ts';
import { microsOf } from './times.ts';

const allColumns: readonly ArchivedColumn[] = [
  'id',
  'kind',
  'as_of',
  'received_at',
  'source',
  'summary',
  'detail',
  'actor',
  'repo',
  'pr',
  'leaf_hash',
  'proof',
];
const EVENTS_PER_READ = 1024;
const BLOCKS_PER_TURN = 8;

/** All events of a segment in order, with their terms in ascending order. */
export async function* eventsOf(segment: Segment): AsyncGenerator<ArchivedEvent, void> {
  const terms = await termsByEvent(segment);
  for (let from = 0; from < segment.events; from += EVENTS_PER_READ) {
    const count = Math.min(EVENTS_PER_READ, segment.events - from);
    const ordinals = Array.from({ length: count }, (_, place) => from + place);
    const rows = await readRows(segment, ordinals, allColumns);
    for (const [place, row] of rows.entries()) yield { ...eventOf(row), terms: terms(from + place) };
  }
}

/** Events of a segment with these ordinals, in this order. */
export async function eventsAt(segment: Segment, ordinals: readonly number[]): Promise<Omit<ArchivedEvent, 'terms'>[]> {
  return (await readRows(segment, ordinals, allColumns)).map(eventOf);
}

const eventOf = ({ as_of, received_at, pr, leaf_hash, ...row }: ArchivedRow): Omit<ArchivedEvent, 'terms'> => ({
  ...row,
  asOf: microsOf(as_of),
  receivedAt: microsOf(received_at),
  pr: pr === null ? null : Number(pr),
  leafHash: Buffer.from(leaf_hash.slice(2), 'hex'),
});

/** Reads all lists of terms, and returns the terms of an event. */
async function termsByEvent(segment: Segment): Promise<(ordinal: number) => readonly number[]> {
  const starts = new Uint32Array(segment.events + 1);
  let count = 0;
  await forEachTerm(segment, (_term, ordinal) => {
    starts[ordinal + 1] = (starts[ordinal + 1] ?? 0) + 1;
    count += 1;
    if (count > MAX_POSTINGS) throw new InvalidSegment('The events of the segment have too many terms.');
  });
  for (let ordinal = 0; ordinal < segment.events; ordinal += 1)
    starts[ordinal + 1] = (starts[ordinal + 1] ?? 0) + (starts[ordinal] ?? 0);
  const terms = new Float64Array(count);
  const next = starts.slice();
  await forEachTerm(segment, (term, ordinal) => {
    const at = next[ordinal] ?? 0;
    terms[at] = term;
    next[ordinal] = at + 1;
  });
  return (ordinal) => Array.from(terms.subarray(starts[ordinal], starts[ordinal + 1]));
}

async function forEachTerm(segment: Segment, visit: (term: number, ordinal: number) => void): Promise<void> {
  for (let number = 0; number < segment.blockCountOf('terms'); number += 1) {
    if (number % BLOCKS_PER_TURN === 0) await setImmediate();
    const block = await segment.block('terms', number);
    const longer = Array.from(block.keys, (_, place) => longerListOf(block, place) ?? []).flat();
    const lists = await segment.blocks('lists', longer);
    for (const [place, term] of block.keys.entries()) {
      const list = longerListOf(block, place);
      const visitEvent = (ordinal: number) => visit(term, ordinal);
      if (list === undefined) forEachInlineOrdinal(block, place, segment.events, visitEvent);
      else forEachInList(lists.get(list) ?? new Uint8Array(), segment.events, visitEvent);
    }
  }
}
