import { setImmediate } from 'node:timers/promises';
import { type EventTexts, storedIdentMark } from '#core/event-text.ts';
import { searchableTextOf, wordPartPatternOf } from '../clickhouse/word-parts.ts';
import type { ConditionAtom, StoreCondition } from '../store/condition.ts';
import { flagKeys } from './archived-event.ts';
import { InvalidSegment } from './bytes.ts';
import { eventsPerBlock } from './columns.ts';
import { eventsWithIds, eventsWithNumbers, keysOfValues, ordinalsAtTimes, unionOfLists } from './lookup.ts';
import {
  addOrdinal,
  complementOf,
  differenceOf,
  emptySet,
  fullSet,
  holds,
  intersectionOf,
  isEmpty,
  type OrdinalSet,
  ordinalsDown,
  ordinalsIn,
  rangeSet,
  unionOf,
} from './ordinals.ts';
import { readRows } from './rows.ts';
import type { Segment } from './segment.ts';
import { MICROS } from './times.ts';

/** A condition that needs other tables. */
export type OtherCondition = Extract<ConditionAtom, { is: 'recorded' | 'direct' | 'share' }>;

/** An event to test for such a condition. */
export interface EventCandidate {
  id: string;
  /** In the text format of PostgreSQL. */
  asOf: string;
  kind: string;
  repo: string | null;
  pr: number | null;
  /** The SHA of the commit in its sentence. */
  sha: string | null;
}

/** Tests candidates for a condition that needs other tables. The result has one element per candidate. */
export type ResolveCandidates = (
  condition: OtherCondition,
  candidates: readonly EventCandidate[],
) => Promise<readonly boolean[]>;

export interface SegmentEvaluation {
  resolve: ResolveCandidates;
  /** Stops between chunks of events. */
  signal?: AbortSignal | undefined;
}

/** Atoms that are tested event by event. */
type TestedAtom = OtherCondition | Extract<ConditionAtom, { is: 'clock' | 'shows' | 'part' | 'sha' }>;

/** A condition whose lists are resolved to sets. */
type SegmentCondition =
  | { is: 'set'; set: OrdinalSet }
  | { is: 'test'; atom: TestedAtom }
  | { is: 'not'; of: SegmentCondition }
  | { is: 'and' | 'or'; of: readonly SegmentCondition[] };

/** The events that match a condition, as far as lists tell. */
export interface Match {
  condition: SegmentCondition;
  /** Events that match for certain. */
  certain: OrdinalSet;
  /** Events that may match: the certain ones, and those to be tested. */
  possible: OrdinalSet;
}

/** Looks up the lists of a condition. */
export async function matchCondition(segment: Segment, condition: StoreCondition): Promise<Match> {
  const resolved = await resolveLists(segment, condition);
  return { condition: resolved, ...boundsOf(resolved, segment.events) };
}

async function resolveLists(segment: Segment, condition: StoreCondition): Promise<SegmentCondition> {
  switch (condition.is) {
    case 'and':
    case 'or': {
      const of = await Promise.all(condition.of.map((part) => resolveLists(segment, part)));
      return joined(condition.is, of, segment.events);
    }
    case 'not': {
      const of = await resolveLists(segment, condition.of);
      return of.is === 'set' ? { is: 'set', set: complementOf(of.set, segment.events) } : { is: 'not', of };
    }
    case 'clock':
    case 'shows':
    case 'part':
    case 'sha':
    case 'recorded':
    case 'direct':
    case 'share':
      return { is: 'test', atom: condition };
    default:
      return { is: 'set', set: await setOf(segment, condition) };
  }
}

/** Joins the sets among the parts, so that there is at most one, which is tested first. */
function joined(is: 'and' | 'or', parts: readonly SegmentCondition[], events: number): SegmentCondition {
  const join = is === 'and' ? intersectionOf : unionOf;
  const sets = parts.flatMap((part) => (part.is === 'set' ? [part.set] : []));
  const others = parts.filter((part) => part.is !== 'set').sort((one, other) => costOf(one) - costOf(other));
  if (others.length === 0) {
    const [first = is === 'and' ? fullSet(events) : emptySet(events), ...more] = sets;
    return { is: 'set', set: more.reduce(join, first) };
  }
  const [first, ...more] = sets;
  return { is, of: first ? [{ is: 'set', set: more.reduce(join, first) }, ...others] : others };
}

const costs: Record<TestedAtom['is'], number> = {
  clock: 1,
  sha: 2,
  shows: 3,
  part: 4,
  share: 5,
  direct: 6,
  recorded: 7,
};
const costOf = (part: SegmentCondition): number => {
  if (part.is === 'test') return costs[part.atom.is];
  if (part.is === 'not') return costOf(part.of);
  return part.is === 'set' ? 0 : Math.max(...part.of.map(costOf));
};

type ListedAtom = Exclude<StoreCondition, TestedAtom | { is: 'and' | 'or' | 'not' }>;

async function setOf(segment: Segment, atom: ListedAtom): Promise<OrdinalSet> {
  const { events } = segment;
  switch (atom.is) {
    case 'all':
      return fullSet(events);
    case 'none':
      return emptySet(events);
    case 'column':
      if (atom.column === 'id') return eventsWithIds(segment, atom.any.map(String));
      return unionOfLists(segment, 'values', await keysOfValues(segment, atom.column, atom.any));
    case 'present':
      return unionOfLists(segment, 'values', [flagKeys[atom.column]]);
    case 'numbered':
      // Without a bound, the condition tests nothing, as in SQL.
      if (atom.from === null && atom.to === null) return fullSet(events);
      return eventsWithNumbers(segment, atom.from ?? LEAST_NUMBER, atom.to ?? MOST_NUMBER);
    case 'time': {
      const [from, to] = await ordinalsAtTimes(segment, [
        atom.from === null ? Number.MIN_SAFE_INTEGER : Math.trunc(atom.from) * MICROS,
        atom.to === null ? Number.MAX_SAFE_INTEGER : Math.trunc(atom.to) * MICROS,
      ]);
      return rangeSet(events, from ?? 0, to ?? 0);
    }
    case 'late':
      return unionOfLists(segment, 'values', [flagKeys.late]);
    case 'terms':
      return unionOfLists(segment, 'terms', atom.any);
  }
}

const [LEAST_NUMBER, MOST_NUMBER] = [-(2 ** 31), 2 ** 31 - 1];

/** The events that match for certain, and those that may match. */
function boundsOf(condition: SegmentCondition, events: number): Pick<Match, 'certain' | 'possible'> {
  switch (condition.is) {
    case 'set':
      return { certain: condition.set, possible: condition.set };
    case 'test':
      return { certain: emptySet(events), possible: fullSet(events) };
    case 'not': {
      const { certain, possible } = boundsOf(condition.of, events);
      return { certain: complementOf(possible, events), possible: complementOf(certain, events) };
    }
    default: {
      const join = condition.is === 'and' ? intersectionOf : unionOf;
      return condition.of
        .map((part) => boundsOf(part, events))
        .reduce((one, other) => ({
          certain: join(one.certain, other.certain),
          possible: join(one.possible, other.possible),
        }));
    }
  }
}

/** The first chunk suffices for most pages; longer ones cost less per event. */
const FIRST_CHUNK = 256;
const MAX_CHUNK = 4096;

interface OrdinalWalk {
  direction: 'older' | 'newer';
  /** The ordinals of the walk, the end excluded. */
  from: number;
  to: number;
  limit: number;
}

/** The next events that match, in the order of the walk. Tests no more events than it needs. */
export async function nextMatches(
  segment: Segment,
  { condition, certain, possible }: Match,
  walk: OrdinalWalk,
  evaluation: SegmentEvaluation,
): Promise<number[]> {
  const ordinals = (walk.direction === 'older' ? ordinalsDown : ordinalsIn)(possible, walk.from, walk.to);
  const found: number[] = [];
  let size = Math.max(FIRST_CHUNK, walk.limit);
  while (found.length < walk.limit) {
    const chunk = take(ordinals, Math.min(size, MAX_CHUNK));
    if (chunk.length === 0) break;
    const uncertain = chunk.filter((ordinal) => !holds(certain, ordinal));
    const matching = new Set(await matchingOf(segment, condition, uncertain, evaluation));
    found.push(...chunk.filter((ordinal) => holds(certain, ordinal) || matching.has(ordinal)));
    size *= 2;
    if (uncertain.length > 0) await pause(evaluation);
  }
  return found.slice(0, walk.limit);
}

/** All events that match. */
export async function allMatches(
  segment: Segment,
  { condition, certain, possible }: Match,
  evaluation: SegmentEvaluation,
): Promise<OrdinalSet> {
  const uncertain = differenceOf(possible, certain);
  if (isEmpty(uncertain)) return certain;
  const matches = certain.slice();
  const ordinals = ordinalsIn(uncertain);
  for (let chunk = take(ordinals, MAX_CHUNK); chunk.length > 0; chunk = take(ordinals, MAX_CHUNK)) {
    for (const ordinal of await matchingOf(segment, condition, chunk, evaluation)) addOrdinal(matches, ordinal);
    await pause(evaluation);
  }
  return matches;
}

function take(ordinals: Iterator<number, void>, count: number): number[] {
  const taken: number[] = [];
  while (taken.length < count) {
    const next = ordinals.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

async function pause({ signal }: SegmentEvaluation): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/** Those of the events that match. */
async function matchingOf(
  segment: Segment,
  condition: SegmentCondition,
  ordinals: readonly number[],
  evaluation: SegmentEvaluation,
): Promise<readonly number[]> {
  if (ordinals.length === 0) return ordinals;
  switch (condition.is) {
    case 'set':
      return ordinals.filter((ordinal) => holds(condition.set, ordinal));
    case 'test':
      return testAtom(segment, condition.atom, ordinals, evaluation);
    case 'not': {
      const matching = new Set(await matchingOf(segment, condition.of, ordinals, evaluation));
      return ordinals.filter((ordinal) => !matching.has(ordinal));
    }
    case 'and': {
      let left = ordinals;
      for (const part of condition.of) left = await matchingOf(segment, part, left, evaluation);
      return left;
    }
    case 'or': {
      const matching = new Set<number>();
      for (const part of condition.of) {
        const left = ordinals.filter((ordinal) => !matching.has(ordinal));
        for (const ordinal of await matchingOf(segment, part, left, evaluation)) matching.add(ordinal);
      }
      return ordinals.filter((ordinal) => matching.has(ordinal));
    }
  }
}

async function testAtom(
  segment: Segment,
  atom: TestedAtom,
  ordinals: readonly number[],
  { resolve }: SegmentEvaluation,
): Promise<readonly number[]> {
  switch (atom.is) {
    case 'clock':
      return testClock(segment, atom, ordinals);
    case 'shows': {
      // The stored form contains names and titles as in JSON.
      const text = JSON.stringify(atom.text).slice(1, -1);
      return testTexts(segment, ordinals, (texts) => texts.some((one) => lowerCaseOf(one).includes(text)));
    }
    case 'sha': {
      const forms = [`${storedIdentMark}${atom.prefix}`, `"ident":"${atom.prefix}`];
      return testTexts(segment, ordinals, (texts) => texts.some((one) => forms.some((form) => one.includes(form))));
    }
    case 'part': {
      const { piece, pattern } = wordPartPatternOf(atom.text);
      const expression = pattern === undefined ? undefined : new RegExp(jsPattern(pattern), 'u');
      return testTexts(segment, ordinals, ([summary = '', detail = '']) => {
        const text = shownTextOf({ summary, detail });
        return text.includes(piece) && (expression === undefined || expression.test(text));
      });
    }
    default: {
      const matching = await resolve(atom, await candidatesOf(segment, ordinals));
      return ordinals.filter((_, place) => matching[place] === true);
    }
  }
}

function shownTextOf(texts: EventTexts): string {
  try {
    return searchableTextOf(texts);
  } catch (error) {
    throw new InvalidSegment('A text of an event is not valid.', { cause: error });
  }
}

// RE2 accepts \pL for \p{L}.
const jsPattern = (pattern: string) => pattern.replaceAll(/(?<!\\)((?:\\\\)*)\\p([LN])/g, '$1\\p{$2}');

/** Lower case character by character, as PostgreSQL in the locale C.UTF-8: no character becomes several. */
function lowerCaseOf(text: string): string {
  if (!/[İΣ]/.test(text)) return text.toLowerCase();
  return text.replaceAll('İ', 'i').replaceAll('Σ', 'σ').toLowerCase();
}

async function testClock(
  segment: Segment,
  { unit, any, offset }: Extract<ConditionAtom, { is: 'clock' }>,
  ordinals: readonly number[],
): Promise<number[]> {
  const blocks = await segment.blocks(
    'times',
    ordinals.map((ordinal) => segment.blockOf('times', ordinal)),
  );
  return ordinals.filter((ordinal) => {
    const micros = blocks.get(segment.blockOf('times', ordinal))?.[ordinal % eventsPerBlock.times] ?? 0;
    // Hours since a week before 1970. 1970 began on a Thursday.
    const hour = Math.floor(micros / 3_600_000_000 + offset / 60 + 168);
    return any.includes(unit === 'hour' ? hour % 24 : (Math.trunc(hour / 24) + 10) % 7);
  });
}

async function testTexts(
  segment: Segment,
  ordinals: readonly number[],
  test: (texts: readonly [summary: string, detail: string]) => boolean,
): Promise<number[]> {
  const rows = await readRows(segment, ordinals, ['summary', 'detail']);
  return ordinals.filter((_, place) => test([rows[place]?.summary ?? '', rows[place]?.detail ?? '']));
}

const shaPattern = new RegExp(`(?:${storedIdentMark}|"ident":")([0-9a-f]{40,64})(?![0-9a-f])`);

async function candidatesOf(segment: Segment, ordinals: readonly number[]): Promise<EventCandidate[]> {
  const rows = await readRows(segment, ordinals, ['id', 'as_of', 'kind', 'repo', 'pr', 'summary']);
  return rows.map(({ id, as_of, kind, repo, pr, summary }) => ({
    id,
    asOf: as_of,
    kind,
    repo,
    pr: pr === null ? null : Number(pr),
    sha: shaPattern.exec(summary)?.[1] ?? null,
  }));
}
