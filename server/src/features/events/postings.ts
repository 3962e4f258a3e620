import { bigintArray, elementsOf, intArray } from '#database/arrays.ts';
import type { ShownEvent } from './shown.ts';
import { termOf } from './words.ts';

/** The words of events that are written together. */
export interface Postings {
  /** What is left to be indexed, as the two parameters of `pendingRow`: each word, and the place of its event, from 1. */
  pending: Buffer[];
  /** Lists that are worth writing at once, as the parameters of `listsInsert`. */
  lists: Buffer[];
}

// On average, in events: lists as long as this need not be gathered first.
const longEnough = 16;

/**
 * Words go into their lists at once where many events share them, all words of these events or none: a search for several
 * looks for them in one place. Otherwise they are left pending, and a job gathers them with others. `ids` and `times` are
 * the columns of the events.
 */
export function postingsOf(events: readonly ShownEvent[], ids: Buffer, times: Buffer): Postings {
  const postings = events.map(termsOfEvent);
  const lists = listsOf(events, postings);
  const count = postings.reduce((sum, terms) => sum + terms.length, 0);
  const isWorthIt = count >= lists.length * longEnough;
  return {
    pending: pendingOf(isWorthIt ? [] : postings),
    lists: listColumns(isWorthIt ? lists : [], ids, times),
  };
}

/** The same where all are left pending. */
export const pendingPostings = (events: readonly ShownEvent[]): Buffer[] => pendingOf(events.map(termsOfEvent));

/** Of its words, and of its values by field; each once. */
const termsOfEvent = ({ pullRequest, shown: { terms } }: ShownEvent): readonly number[] =>
  pullRequest === null ? terms : [...terms, termOf(`pr\n${pullRequest}`)];

function pendingOf(postings: readonly (readonly number[])[]): Buffer[] {
  const terms: number[] = [];
  const places: number[] = [];
  postings.forEach((ofEvent, index) => {
    for (const term of ofEvent) {
      terms.push(term);
      places.push(index + 1);
    }
  });
  return [bigintArray(terms), intArray(places)];
}

interface List {
  term: number;
  hour: number;
  /** Indexes of the events that hold it. */
  events: number[];
}

const hourMs = 3_600_000;

function listsOf(events: readonly ShownEvent[], postings: readonly (readonly number[])[]): List[] {
  const hours = new Map<number, Map<number, List>>();
  events.forEach(({ asOf }, index) => {
    const hour = Math.floor(Date.parse(asOf) / hourMs);
    const lists = hours.get(hour) ?? new Map<number, List>();
    hours.set(hour, lists);
    for (const term of postings[index] ?? []) {
      const list = lists.get(term);
      if (list) list.events.push(index);
      else lists.set(term, { term, hour, events: [index] });
    }
  });
  return [...hours.values()].flatMap((lists) => [...lists.values()]);
}

/** The lists one after the other, with the places of the first and the last of each. */
function listColumns(lists: readonly List[], ids: Buffer, times: Buffer): Buffer[] {
  const members = lists.flatMap((list) => list.events);
  let end = 0;
  const ends = lists.map((list) => {
    end += list.events.length;
    return end;
  });
  return [
    bigintArray(lists.map(({ term }) => term)),
    intArray(lists.map(({ hour }) => hour)),
    intArray(lists.map(({ events }, index) => (ends[index] ?? 0) - events.length + 1)),
    intArray(ends),
    elementsOf(times, members),
    elementsOf(ids, members),
  ];
}

export const pendingInsert = 'insert into posting_pending (org_id, events, id, as_of, terms, places)';

/** That row: `$1` is the organisation, the events' ids and times are the parameters from `ids` on, their words those from `words` on. */
export const pendingRow = (ids: number, words: number) =>
  `$1::uuid, cardinality($${ids}::uuid[]), $${ids}, $${ids + 1}::timestamptz[], $${words}::bigint[], $${words + 1}::int[]`;

/** Inserts the lists, which are the parameters from `from` on; `$1` is the organisation. */
export const listsInsert = (from: number) =>
  `insert into posting_list (org_id, term, hour, as_of, id)
   select $1, term, hour, ($${from + 4}::timestamptz[])[first:last], ($${from + 5}::uuid[])[first:last] from tenant cross join
     unnest($${from}::bigint[], $${from + 1}::int[], $${from + 2}::int[], $${from + 3}::int[]) as list(term, hour, first, last)`;
