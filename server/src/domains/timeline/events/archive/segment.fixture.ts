import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { storedIdentMark } from '#core/event-text.ts';
import { searchableTextOf } from '../clickhouse/word-parts.ts';
import type { ConditionAtom, StoreCondition } from '../store/condition.ts';
import type { ArchivedEvent } from './archived-event.ts';
import { SegmentCache } from './cache.ts';
import type { EventCandidate, OtherCondition } from './evaluate.ts';
import { openSegment, type Segment, type StoredSegment } from './segment.ts';
import { encodeSegments } from './segment-writer.ts';

const hex = (text: string) => createHash('sha256').update(text).digest('hex');
export const testId = (name: string): string =>
  hex(name).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

export const testOrganization = testId('organization');
export const testActors = ['ada', 'grace', 'linus'].map(testId);
const testRepositories = ['api', 'web'].map(testId);
const testKinds = ['commit', 'tool', 'pull_request'];
const testSources = ['github', 'vscode'];
export const testTerms = [0, 7, 11, 4711, 2 ** 33 + 5, 2 ** 53 - 1];
const testShas = ['1f3a', '1f3b', 'ab'].map((start) => start.padEnd(40, '0'));
const titles = ['Fix login', 'ÜBER İstanbul ΣΑΣ', 'a "quoted" 100%', 'drop the table', ''];
/** The start of the month of the test events, in microseconds. */
export const testStart = Date.UTC(2026, 9, 1) * 1000;
const monthMicros = 31 * 86_400_000_000;

const arbitraryTime = fc.oneof(
  // Hours and seconds have events at their limits, and several at the same time.
  fc.integer({ min: 0, max: 31 * 24 - 1 }).map((hour) => hour * 3_600_000_000),
  fc.integer({ min: 0, max: 200 }).map((second) => second * 1_000_000 + (second % 3)),
  fc.integer({ min: 0, max: monthMicros - 1 }),
);

const arbitraryChoice = fc.record({
  time: arbitraryTime,
  delay: fc.constantFrom(-1, 0, 2_000_000, 299_999_999, 300_000_000, 300_000_001, 86_400_000_000),
  kind: fc.constantFrom(...testKinds),
  source: fc.constantFrom(...testSources),
  actor: fc.constantFrom(...testActors, null),
  repo: fc.constantFrom(...testRepositories, null),
  pr: fc.constantFrom(1, 2, 12, 2 ** 31 - 1, null, null),
  sha: fc.constantFrom(...testShas, null),
  title: fc.constantFrom(...titles),
  detail: fc.constantFrom(...titles),
  batch: fc.constantFrom('one', 'two', null),
  terms: fc.uniqueArray(fc.constantFrom(...testTerms), { maxLength: 4 }),
});

type TestChoice = typeof arbitraryChoice extends fc.Arbitrary<infer Of> ? Of : never;

function testEventOf(choice: TestChoice, place: number): ArchivedEvent {
  const { time, delay, sha, title, detail, batch, ...columns } = choice;
  const id = testId(`event ${place}`);
  const commit = sha === null ? '' : `{"kind":"sha","display":"${sha.slice(0, 7)}${storedIdentMark}${sha}"},`;
  return {
    ...columns,
    id,
    asOf: testStart + time,
    receivedAt: testStart + time + delay,
    summary: `{"phrase":"{0}","parameters":[${commit}{"kind":"text","display":${JSON.stringify(title)},"ident":""}]}`,
    detail: JSON.stringify([{ label: 'Message', parameter: { kind: 'text', display: detail, ident: '' } }]),
    leafHash: createHash('sha256').update(id).digest(),
    proof: batch === null ? id : testId(batch),
    // A term that no other event has.
    terms: [...columns.terms, place + 1_000_000],
  };
}

export const inOrder = (events: readonly ArchivedEvent[]): ArchivedEvent[] =>
  events.toSorted((one, other) => one.asOf - other.asOf || (one.id < other.id ? -1 : 1));

/** Random events of one month, in order. */
export const arbitraryEvents = (maxLength: number): fc.Arbitrary<ArchivedEvent[]> =>
  fc
    .array(arbitraryChoice, { minLength: 1, maxLength, size: 'max' })
    .map((choices) => inOrder(choices.map(testEventOf)));

/** The same events for each run: enough for several blocks of each section. */
export const manyEvents = (count: number): ArchivedEvent[] =>
  inOrder(fc.sample(arbitraryChoice, { numRuns: count, seed: 5 }).map(testEventOf));

export async function itemsOf<Item>(iterable: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of iterable) items.push(item);
  return items;
}

export async function encoded(events: readonly ArchivedEvent[]): Promise<Buffer> {
  const segments = await itemsOf(encodeSegments(testOrganization, events));
  const [only] = segments;
  if (!only || segments.length > 1) throw new Error(`${segments.length} segments instead of one`);
  return only;
}

/** A stored segment in memory, which counts reads. */
export function storedIn(
  bytes: Uint8Array,
  key = 'test',
): StoredSegment & { reads: [offset: number, length: number][] } {
  const reads: [number, number][] = [];
  return {
    key,
    length: bytes.length,
    reads,
    read: async (offset, length) => {
      reads.push([offset, length]);
      return bytes.subarray(offset, offset + length);
    },
  };
}

export const opened = async (events: readonly ArchivedEvent[]): Promise<Segment> =>
  openSegment(storedIn(await encoded(events)), new SegmentCache());

/** Test results of conditions on other tables, from the candidate alone. */
export function holdsElsewhere(condition: OtherCondition, { id, repo, pr, sha }: EventCandidate): boolean {
  switch (condition.is) {
    case 'recorded':
      return repo !== null && pr !== null && pr % 2 === 0;
    case 'direct':
      return repo !== null && sha !== null;
    case 'share':
      return Number.parseInt(id.slice(0, 2), 16) / 255 >= (condition.from?.share ?? 0);
  }
}

/** Whether an event matches: a second implementation of `store/tests.ts`, event by event. */
export function matches(condition: StoreCondition, event: ArchivedEvent): boolean {
  switch (condition.is) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'not':
      return !matches(condition.of, event);
    case 'and':
      return condition.of.every((part) => matches(part, event));
    case 'or':
      return condition.of.some((part) => matches(part, event));
    default:
      return matchesAtom(condition, event);
  }
}

function matchesAtom(atom: ConditionAtom, event: ArchivedEvent): boolean {
  const { pr, asOf, summary, detail } = event;
  switch (atom.is) {
    case 'column': {
      const value = event[atom.column];
      return value !== null && atom.any.includes(value);
    }
    case 'present':
      return event[atom.column] !== null;
    case 'numbered':
      if (atom.from === null && atom.to === null) return true;
      return pr !== null && pr >= (atom.from ?? -Infinity) && pr <= (atom.to ?? Infinity);
    case 'time':
      return asOf >= (atom.from ?? -Infinity) * 1000 && asOf < (atom.to ?? Infinity) * 1000;
    case 'clock': {
      const local = new Date(Math.floor(asOf / 1000) + atom.offset * 60_000);
      return atom.any.includes(atom.unit === 'hour' ? local.getUTCHours() : (local.getUTCDay() + 6) % 7);
    }
    case 'late':
      return event.receivedAt > asOf + 300_000_000;
    case 'terms':
      return atom.any.some((term) => event.terms.includes(term));
    case 'shows':
      return [summary, detail].some((text) =>
        [...text]
          .map((one) => (one === 'İ' ? 'i' : one.toLowerCase()))
          .join('')
          .includes(JSON.stringify(atom.text).slice(1, -1)),
      );
    case 'part':
      return searchableTextOf(event).includes(atom.text.replaceAll('*', ''));
    case 'sha':
      return `${summary} ${detail}`.includes(`${storedIdentMark}${atom.prefix}`);
    default:
      return holdsElsewhere(atom, candidateOf(event));
  }
}

const candidateOf = ({ id, kind, repo, pr, summary }: ArchivedEvent): EventCandidate => ({
  id,
  asOf: '',
  kind,
  repo,
  pr,
  sha: testShas.find((sha) => summary.includes(sha)) ?? null,
});

const some = <Value>(...values: Value[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const time = fc.option(
  fc.oneof(
    arbitraryTime.map((micros) => Math.floor((testStart + micros) / 1000)),
    fc.constantFrom(0, 2 ** 42),
  ),
);
const number = fc.option(fc.constantFrom(-1, 0, 1, 2, 3, 12, 2 ** 31 - 1));
const ids = [0, 1, 2, 3, 50, 100_000].map((place) => testId(`event ${place}`));

export const arbitraryAtom: fc.Arbitrary<StoreCondition> = fc.oneof(
  some(...testKinds, 'absent').map((any) => ({ is: 'column', column: 'kind', any }) as const),
  some(...testSources, 'absent').map((any) => ({ is: 'column', column: 'source', any }) as const),
  some(...testActors, testId('absent')).map((any) => ({ is: 'column', column: 'actor', any }) as const),
  some(...testRepositories).map((any) => ({ is: 'column', column: 'repo', any }) as const),
  some(1, 2, 12, 900).map((any) => ({ is: 'column', column: 'pr', any }) as const),
  some(...ids).map((any) => ({ is: 'column', column: 'id', any }) as const),
  fc.constantFrom('actor', 'repo', 'pr').map((column) => ({ is: 'present', column }) as const),
  fc.tuple(number, number).map(([from, to]) => ({ is: 'numbered', from, to }) as const),
  fc.tuple(time, time).map(([from, to]) => ({ is: 'time', from, to }) as const),
  fc
    .tuple(some(0, 5, 6), fc.constantFrom(0, 60, -330))
    .map(([any, offset]) => ({ is: 'clock', unit: 'weekday', any, offset }) as const),
  fc
    .tuple(some(0, 3, 12, 23), fc.constantFrom(0, 60, -330))
    .map(([any, offset]) => ({ is: 'clock', unit: 'hour', any, offset }) as const),
  fc.constantFrom({ is: 'late' } as const, { is: 'all' } as const, { is: 'none' } as const),
  some(...testTerms, 12, 1_000_003).map((any) => ({ is: 'terms', any }) as const),
  fc
    .constantFrom('fix', 'über', 'istanbul', 'σας', '"quoted"', 'absent', '')
    .map((text) => ({ is: 'shows', text }) as const),
  fc.constantFrom('*ogi*', '*uot*', '*absent*').map((text) => ({ is: 'part', text, bit: 1 }) as const),
  fc.constantFrom('1f3', '1f3a', 'ab0', 'ffff').map((prefix) => ({ is: 'sha', prefix }) as const),
  fc.constantFrom('gap', 'unreviewed').map((as) => ({ is: 'recorded', as }) as const),
  fc.constant({ is: 'direct' } as const),
  fc.constantFrom(0.1, 0.5).map((share) => ({ is: 'share', from: { share, included: true }, to: null }) as const),
);

export const arbitraryCondition: fc.Arbitrary<StoreCondition> = fc.letrec<{ node: StoreCondition }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    arbitraryAtom,
    tie('node').map((of) => ({ is: 'not', of }) as const),
    fc.array(tie('node'), { maxLength: 3 }).map((of) => ({ is: 'and', of }) as const),
    fc.array(tie('node'), { maxLength: 3 }).map((of) => ({ is: 'or', of }) as const),
  ),
})).node;
