import { bigintArray, intArray, timeArray, uuidArray } from '#database/arrays.ts';
import type { NewEvent } from './commands.ts';
import { termOfThing, termsOfAll } from './words.ts';

/** The words of events that are written together. */
export interface Postings {
  /** The row of `posting_pending` that leaves words to be indexed, as the parameters of `pendingColumns`. */
  pending: Buffer[];
  /** Lists that are worth writing at once, as the parameters of `listsFrom`. */
  lists: Buffer[];
}

// On average, in events: lists as long as this need not be gathered first.
const longEnough = 16;

/**
 * Words go into their lists at once where many events share them, all words of these events or none: a search for several
 * looks for them in one place. Otherwise, or if `later`, they are left pending, and a job gathers them with others.
 */
export function postingsOf(events: readonly NewEvent[], later = false): Postings {
  const postings = events.map(termsOfEvent);
  const lists = later ? [] : listsOf(events, postings);
  const count = postings.reduce((sum, terms) => sum + terms.length, 0);
  const isWorthIt = lists.length > 0 && count >= lists.length * longEnough;
  return {
    pending: pendingOf(events, isWorthIt ? [] : postings),
    lists: listColumns(events, isWorthIt ? lists : []),
  };
}

function termsOfEvent({ summary, detail, words }: NewEvent): number[] {
  const terms = termsOfAll([...summary.parameters.map(({ display }) => display), words]);
  // So that what a tool took part in is found by the tool's id.
  for (const { kind, ident } of [...summary.parameters, ...detail.map(({ parameter }) => parameter)]) {
    if (kind !== 'tool' || ident === '') continue;
    const term = termOfThing('tool', ident);
    if (!terms.includes(term)) terms.push(term);
  }
  return terms;
}

/** As_of and id of each event, and for each word of each its term and the place of its event, from 1. */
function pendingOf(events: readonly NewEvent[], postings: readonly (readonly number[])[]): Buffer[] {
  const terms: number[] = [];
  const places: number[] = [];
  postings.forEach((ofEvent, index) => {
    for (const term of ofEvent) {
      terms.push(term);
      places.push(index + 1);
    }
  });
  return [
    timeArray(events.map(({ asOf }) => asOf)),
    uuidArray(events.map(({ id }) => id)),
    bigintArray(terms),
    intArray(places),
  ];
}

interface List {
  term: number;
  hour: number;
  /** Indexes of the events that hold it. */
  events: number[];
}

const hourMs = 3_600_000;

function listsOf(events: readonly NewEvent[], postings: readonly (readonly number[])[]): List[] {
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
function listColumns(events: readonly NewEvent[], lists: readonly List[]): Buffer[] {
  const members = lists.flatMap((list) => list.events.flatMap((index) => events[index] ?? []));
  let end = 0;
  const ends = lists.map((list) => {
    end += list.events.length;
    return end;
  });
  return [
    bigintArray(lists.map(({ term }) => term)),
    intArray(lists.map(({ hour }) => hour)),
    intArray(ends.map((last, index) => last - (lists[index]?.events.length ?? 0) + 1)),
    intArray(ends),
    timeArray(members.map(({ asOf }) => asOf)),
    uuidArray(members.map(({ id }) => id)),
  ];
}

/** What to insert where `$1` is the organisation and `pending` are the parameters from `from` on. */
export const pendingColumns = (from: number) =>
  `$1::uuid, cardinality($${from}::timestamptz[]), $${from}, $${from + 1}::uuid[], $${from + 2}::bigint[], $${from + 3}::int[]`;

export const pendingInsert = 'insert into posting_pending (org_id, events, as_of, id, terms, places)';

/** Inserts the lists, which are the parameters from `from` on; `$1` is the organisation. */
export const listsInsert = (from: number) =>
  `insert into posting_list (org_id, term, hour, as_of, id)
   select $1, term, hour, ($${from + 4}::timestamptz[])[first:last], ($${from + 5}::uuid[])[first:last] from tenant cross join
     unnest($${from}::bigint[], $${from + 1}::int[], $${from + 2}::int[], $${from + 3}::int[]) as list(term, hour, first, last)`;
