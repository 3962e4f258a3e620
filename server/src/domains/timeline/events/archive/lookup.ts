import { numberKey, valueKey } from './archived-event.ts';
import { InvalidSegment } from './bytes.ts';
import { eventsPerBlock } from './columns.ts';
import { type DirectoryBlock, forEachInlineOrdinal, longerListOf, placeInDirectory } from './directory.ts';
import { blockOfKey } from './layout.ts';
import { addList } from './lists.ts';
import { addOrdinal, emptySet, type OrdinalSet } from './ordinals.ts';
import type { Segment } from './segment.ts';
import { idPrefix, idSuffix, uuidAt } from './uuids.ts';

/** The list of each of these keys that has events, by key. */
export async function listsOf(
  segment: Segment,
  section: 'terms' | 'values',
  keys: readonly number[],
): Promise<Map<number, OrdinalSet>> {
  const found = await placesOf(segment, section, keys);
  const lists = await segment.blocks(
    'lists',
    found.flatMap(({ block, place }) => longerListOf(block, place) ?? []),
  );
  return new Map(
    found.map((one) => {
      const set = emptySet(segment.events);
      addListAt(segment, set, { ...one, lists });
      return [one.key, set];
    }),
  );
}

/** The events with one of these keys. */
export async function unionOfLists(
  segment: Segment,
  section: 'terms' | 'values',
  keys: readonly number[],
): Promise<OrdinalSet> {
  const found = await placesOf(segment, section, keys);
  const lists = await segment.blocks(
    'lists',
    found.flatMap(({ block, place }) => longerListOf(block, place) ?? []),
  );
  const set = emptySet(segment.events);
  for (const one of found) addListAt(segment, set, { ...one, lists });
  return set;
}

interface KeyPlace {
  key: number;
  block: DirectoryBlock;
  place: number;
}

async function placesOf(segment: Segment, section: 'terms' | 'values', keys: readonly number[]): Promise<KeyPlace[]> {
  const firsts = segment.keysOf(section);
  const places = keys.map((key) => ({ key, number: blockOfKey(firsts, key) })).filter(({ number }) => number >= 0);
  const blocks = await segment.blocks(
    section,
    places.map(({ number }) => number),
  );
  return places.flatMap(({ key, number }) => {
    const block = blocks.get(number);
    const place = block && placeInDirectory(block, key);
    return block && place !== undefined ? [{ key, block, place }] : [];
  });
}

function addListAt(
  segment: Segment,
  set: OrdinalSet,
  { block, place, lists }: Omit<KeyPlace, 'key'> & { lists: ReadonlyMap<number, Uint8Array> },
): void {
  const longer = longerListOf(block, place);
  if (longer === undefined) forEachInlineOrdinal(block, place, segment.events, (ordinal) => addOrdinal(set, ordinal));
  else addList(set, lists.get(longer) ?? new Uint8Array(), segment.events);
}

/** The events whose pull request has a number in this range, both ends included. */
export async function eventsWithNumbers(segment: Segment, from: number, to: number): Promise<OrdinalSet> {
  const [first, last] = [numberKey(from), numberKey(to)];
  const firsts = segment.keysOf('values');
  const numbers: number[] = [];
  for (let number = Math.max(0, blockOfKey(firsts, first)); number < firsts.length; number += 1)
    if ((firsts[number] ?? 0) <= last) numbers.push(number);
  const blocks = [...(await segment.blocks('values', numbers)).values()];
  const places = blocks.flatMap((block) =>
    Array.from(block.keys, (key, place) => ({ block, place, key })).filter(({ key }) => key >= first && key <= last),
  );
  const lists = await segment.blocks(
    'lists',
    places.flatMap(({ block, place }) => longerListOf(block, place) ?? []),
  );
  const set = emptySet(segment.events);
  for (const one of places) addListAt(segment, set, { ...one, lists });
  return set;
}

/** The keys of the lists of values of a column, for values that the segment has. */
export async function keysOfValues(
  segment: Segment,
  column: 'kind' | 'source' | 'actor' | 'repo' | 'pr',
  values: readonly (string | number)[],
): Promise<number[]> {
  if (column === 'pr') return values.map((value) => numberKey(Number(value)));
  const names = await namesOf(segment, column);
  const places = placesOfNames(names);
  return values.flatMap((value) => {
    const place = places.get(String(value));
    return place === undefined ? [] : valueKey(column, place);
  });
}

const knownPlaces = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/** The place of each name; made once while the names are in the cache. */
function placesOfNames(names: readonly string[]): ReadonlyMap<string, number> {
  const places = knownPlaces.get(names) ?? new Map(names.map((name, place) => [name, place]));
  knownPlaces.set(names, places);
  return places;
}

/** The values of a column that the segment has, in the order of their codes. */
export async function namesOf(
  segment: Segment,
  column: 'kind' | 'source' | 'actor' | 'repo',
): Promise<readonly string[]> {
  if (column === 'kind') return segment.manifest.kinds;
  if (column === 'source') return segment.manifest.sources;
  return segment.block(column === 'actor' ? 'actors' : 'repositories', 0);
}

/** The ordinals of those of these IDs that the segment contains. Reads a small part of the index for each. */
export async function ordinalsOfIds(segment: Segment, ids: readonly string[]): Promise<Map<string, number>> {
  const firsts = segment.keysOf('idIndex');
  const searched = ids.map((id) => ({ id, numbers: blocksWithPrefix(firsts, idPrefix(id)) }));
  const blocks = await segment.blocks(
    'idIndex',
    searched.flatMap(({ numbers }) => numbers),
  );
  const candidates = searched.flatMap(({ id, numbers }) =>
    numbers.flatMap((number) =>
      ordinalsWithSuffix(blocks.get(number), idSuffix(id)).map((ordinal) => ({ id, ordinal })),
    ),
  );
  if (candidates.some(({ ordinal }) => ordinal >= segment.events))
    throw new InvalidSegment('The index of IDs has too large ordinals.');
  const stored = await idsOfOrdinals(
    segment,
    candidates.map(({ ordinal }) => ordinal),
  );
  return new Map(
    candidates.filter(({ id, ordinal }) => stored.get(ordinal) === id).map(({ id, ordinal }) => [id, ordinal]),
  );
}

/** The blocks that can contain an ID with this prefix. */
function blocksWithPrefix(firsts: Float64Array, prefix: number): number[] {
  const numbers: number[] = [];
  for (let number = blockOfKey(firsts, prefix); number >= 0; number -= 1) {
    numbers.push(number);
    if ((firsts[number] ?? 0) < prefix) break;
  }
  return numbers;
}

function ordinalsWithSuffix(block: Uint8Array | undefined, suffix: number): number[] {
  const ordinals: number[] = [];
  const [low, high] = [suffix & 0xff, suffix >>> 8];
  for (let at = 0; block && at < block.length; at += 4)
    if (block[at + 2] === low && block[at + 3] === high) ordinals.push((block[at] ?? 0) + (block[at + 1] ?? 0) * 0x100);
  return ordinals;
}

/** The IDs of events. */
export async function idsOfOrdinals(segment: Segment, ordinals: readonly number[]): Promise<Map<number, string>> {
  const blocks = await segment.blocks(
    'ids',
    ordinals.map((ordinal) => segment.blockOf('ids', ordinal)),
  );
  return new Map(
    ordinals.map((ordinal) => {
      const block = blocks.get(segment.blockOf('ids', ordinal));
      return [ordinal, block ? uuidAt(block, ordinal % eventsPerBlock.ids) : ''];
    }),
  );
}

/** The events with one of these IDs. */
export async function eventsWithIds(segment: Segment, ids: readonly string[]): Promise<OrdinalSet> {
  const set = emptySet(segment.events);
  for (const ordinal of (await ordinalsOfIds(segment, ids)).values()) addOrdinal(set, ordinal);
  return set;
}

/** For each time in microseconds, the number of events before it. */
export async function ordinalsAtTimes(segment: Segment, times: readonly number[]): Promise<number[]> {
  const firsts = segment.keysOf('times');
  // Events at the time itself may start in the block before those whose first event has it.
  const numbers = times.map((time) => blockOfKey(firsts, time - 1));
  const isAfterAll = (time: number) => time > segment.manifest.last.asOf;
  const blocks = await segment.blocks(
    'times',
    numbers.filter((number, place) => number >= 0 && !isAfterAll(times[place] ?? 0)),
  );
  return times.map((time, place) => {
    const number = numbers[place] ?? -1;
    if (number < 0) return 0;
    if (isAfterAll(time)) return segment.events;
    const block = blocks.get(number) ?? new Float64Array();
    return number * eventsPerBlock.times + blockOfKey(block, time - 1) + 1;
  });
}

/** The number of events before a time in microseconds and an ID, and whether the segment contains an event with both. */
export async function ordinalAtKey(
  segment: Segment,
  { asOf, id }: { asOf: number; id: string },
): Promise<{ ordinal: number; isEvent: boolean }> {
  const [from = 0, to = 0] = await ordinalsAtTimes(segment, [asOf, asOf + 1]);
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = (await idsOfOrdinals(segment, [middle])).get(middle) ?? '';
    if (found === id) return { ordinal: middle, isEvent: true };
    if (found < id) low = middle + 1;
    else high = middle;
  }
  return { ordinal: low, isEvent: false };
}
