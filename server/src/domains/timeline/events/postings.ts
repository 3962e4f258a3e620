import { bigintArray, intArray, selectArrayElements, textArray } from '#database/arrays.ts';
import { partOfSeconds } from './store/hour-parts.ts';
import type { EventWithText, StoredText } from './stored-text.ts';
import { hashTerm } from './terms.ts';

/** The words of a batch of events. */
export interface Postings {
  /** The pending words and the counts by hour and kind, as the parameters of `pendingRowSql`. */
  pending: Buffer[];
  /** Posting lists to write directly, as the parameters of `listsInsertSql`; undefined if all words are pending. */
  lists: Buffer[] | undefined;
}

// Average events per list from which lists are written directly.
const minAverageLength = 16;

/**
 * Writes words directly to posting lists if many events share them. This applies to all words of the batch or none, so
 * that a search for several words reads one location. Otherwise the words are left pending for a job that combines
 * batches. `ids` and `times` are the columns of the events.
 */
export function postingsOf(events: readonly EventWithText[], ids: Buffer, times: Buffer): Postings {
  const { groups, seconds } = groupsOf(events);
  const lists = listsOf(groups, seconds);
  const count = groups.reduce((sum, group) => sum + group.terms.length * group.events.length, 0);
  const isDirect = count >= lists.length * minAverageLength;
  return {
    pending: [...pendingOf(isDirect ? [] : events.map(termsOfEvent)), ...countsOf(groups)],
    lists: isDirect ? listColumns(lists, ids, times) : undefined,
  };
}

/** The parameters of `pendingRowSql` with all words pending. */
export const pendingPostings = (events: readonly EventWithText[]): Buffer[] => [
  ...pendingOf(events.map(termsOfEvent)),
  ...countsOf(groupsOf(events).groups),
];

/** The distinct terms of words and field values. */
const termsOfEvent = ({ pullRequest, text: { terms } }: EventWithText): readonly number[] =>
  pullRequest === null ? terms : [...terms, hashTerm(`pr\n${pullRequest}`)];

/** The terms, and the positions of their events, from 1. */
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

/** The number of events by hour and kind: the hours, the kinds and the numbers. */
function countsOf(groups: readonly Group[]): Buffer[] {
  const counts = new Map<string, { hour: number; kind: string; events: number }>();
  for (const { hour, kind, events } of groups) {
    const key = `${hour} ${kind}`;
    const known = counts.get(key);
    if (known) known.events += events.length;
    else counts.set(key, { hour, kind, events: events.length });
  }
  const rows = [...counts.values()];
  return [
    intArray(rows.map(({ hour }) => hour)),
    textArray(rows.map(({ kind }) => kind)),
    intArray(rows.map(({ events }) => events)),
  ];
}

/** Events of one hour with the same text and pull request, and therefore the same terms. */
interface Group {
  hour: number;
  kind: string;
  terms: readonly number[];
  /** Indexes of the events. */
  events: number[];
}

/** The first and the last second of each hour with an event. */
type SecondsOfHours = Map<number, { first: number; last: number }>;

function groupsOf(events: readonly EventWithText[]): { groups: Group[]; seconds: SecondsOfHours } {
  const groupsByText = new Map<StoredText, Map<string, Group>>();
  const seconds: SecondsOfHours = new Map();
  events.forEach((event, index) => {
    const time = Math.floor(Date.parse(event.asOf) / 1000);
    const hour = Math.floor(time / 3600);
    const second = time - hour * 3600;
    const known = seconds.get(hour);
    if (!known) seconds.set(hour, { first: second, last: second });
    else if (second < known.first) known.first = second;
    else if (second > known.last) known.last = second;
    const groups = groupsByText.get(event.text) ?? new Map<string, Group>();
    groupsByText.set(event.text, groups);
    const key = `${hour} ${event.pullRequest}`;
    const group = groups.get(key);
    if (group) group.events.push(index);
    else groups.set(key, { hour, kind: event.text.kind, terms: termsOfEvent(event), events: [index] });
  });
  return { groups: [...groupsByText.values()].flatMap((groups) => [...groups.values()]), seconds };
}

interface List {
  term: number;
  hour: number;
  /** The part of the hour that contains all events of the batch in it. */
  part: number;
  /** The term of an earlier list with the same events; null if this list stores them itself. */
  sameAs: number | null;
  groups: readonly Group[];
}

function listsOf(groups: readonly Group[], seconds: SecondsOfHours): List[] {
  const hours = new Map<number, Map<number, number[]>>();
  groups.forEach(({ hour, terms }, place) => {
    const places = hours.get(hour) ?? new Map<number, number[]>();
    hours.set(hour, places);
    for (const term of terms) {
      const known = places.get(term);
      if (known) known.push(place);
      else places.set(term, [place]);
    }
  });
  return Array.from(hours, ([hour, places]) => {
    const { first, last } = seconds.get(hour) ?? { first: 0, last: 3599 };
    return sharedLists({ hour, part: partOfSeconds(first, last) }, places, groups);
  }).flat();
}

function sharedLists(
  within: Pick<List, 'hour' | 'part'>,
  places: ReadonlyMap<number, readonly number[]>,
  groups: readonly Group[],
): List[] {
  const holders = new Map<string, number>();
  return Array.from(places, ([term, ofTerm]) => {
    const key = ofTerm.join();
    const sameAs = holders.get(key) ?? null;
    if (sameAs === null) holders.set(key, term);
    return { term, ...within, sameAs, groups: ofTerm.flatMap((place) => groups[place] ?? []) };
  });
}

/** The columns of the lists, with the positions of the first and last event of each list that stores events. */
function listColumns(lists: readonly List[], ids: Buffer, times: Buffer): Buffer[] {
  const members: number[] = [];
  const first: (number | null)[] = [];
  const last: (number | null)[] = [];
  for (const { sameAs, groups } of lists) {
    const start = members.length;
    if (sameAs === null) for (const { events } of groups) members.push(...events);
    first.push(sameAs === null ? start + 1 : null);
    last.push(sameAs === null ? members.length : null);
  }
  return [
    bigintArray(lists.map(({ term }) => term)),
    intArray(lists.map(({ hour }) => hour)),
    intArray(lists.map(({ part }) => part)),
    bigintArray(lists.map(({ sameAs }) => sameAs)),
    intArray(first),
    intArray(last),
    selectArrayElements(times, members),
    selectArrayElements(ids, members),
  ];
}

export const pendingInsertSql =
  'insert into posting_pending (org_id, events, id, as_of, terms, places, hours, kinds, counts)';

/** The values of that row: `$1` is the organization; IDs and times start at parameter `ids`, terms at `words`. */
export const pendingRowSql = (ids: number, words: number) =>
  `$1::uuid, cardinality($${ids}::uuid[]), $${ids}, $${ids + 1}::timestamptz[], $${words}::bigint[], $${words + 1}::int[],
   $${words + 2}::int[], $${words + 3}::text[], $${words + 4}::int[]`;

/** The number of parameters of `pendingRowSql` from the terms on. */
export const pendingInputSize = 5;

/** Inserts the lists, which start at parameter `from`, under one sequence number; `$1` is the organization. */
export const listsInsertSql = (from: number) =>
  `insert into posting_list (org_id, term, hour, part, same_as, seq, as_of, id) overriding system value
   select $1, term, hour, part, same_as, (select nextval('posting_list_seq_seq')),
     ($${from + 6}::timestamptz[])[first:last], ($${from + 7}::uuid[])[first:last]
   from tenant cross join unnest($${from}::bigint[], $${from + 1}::int[], $${from + 2}::int[], $${from + 3}::bigint[], $${from + 4}::int[], $${from + 5}::int[])
     as list(term, hour, part, same_as, first, last)`;
