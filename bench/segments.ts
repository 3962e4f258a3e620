import { createHash } from 'node:crypto';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SegmentCache } from '../server/src/domains/timeline/events/archive/cache.ts';
import { countByGroup, matchingEvents } from '../server/src/domains/timeline/events/archive/counts.ts';
import { findOrdinals } from '../server/src/domains/timeline/events/archive/find.ts';
import { rewriteSegment } from '../server/src/domains/timeline/events/archive/rewrite.ts';
import { readRows } from '../server/src/domains/timeline/events/archive/rows.ts';
import { openSegment, type Segment } from '../server/src/domains/timeline/events/archive/segment.ts';
import { encodeSegments } from '../server/src/domains/timeline/events/archive/segment-writer.ts';
import { and, not, or, type StoreCondition } from '../server/src/domains/timeline/events/store/condition.ts';
import type { Grouping } from '../server/src/domains/timeline/events/store/groups.ts';
import { listedColumns } from '../server/src/domains/timeline/events/store/pages.ts';
import { hashTerm } from '../server/src/domains/timeline/events/terms.ts';
import { monthOfEvents } from './events/month.ts';
import { printReport, type ReportRow } from './report.ts';

/** Measures segments of archived events without a database: their size, and the time of pages and charts. */
export async function benchSegments(): Promise<void> {
  const events = await monthOfEvents();
  const folder = await mkdtemp(join(tmpdir(), 'sightline-segments-'));
  try {
    for (const count of [4000, events.length]) {
      const started = performance.now();
      const encoding = process.cpuUsage();
      const bytes = await onlyOf(encodeSegments(organization, events.slice(0, count)));
      const encoded = process.cpuUsage(encoding);
      const elapsed = performance.now() - started;
      const file = join(folder, String(count));
      await writeFile(file, bytes);
      await using handle = await open(file);
      const stored = storedIn(handle, file, bytes.length);
      const segment = await openSegment(stored, new SegmentCache());
      printReport(`what ${count} events take in a segment`, sectionsOf(segment, bytes.length));
      const rewriting = process.cpuUsage();
      await onlyOf(rewriteSegment(segment));
      const rewritten = process.cpuUsage(rewriting);
      const microsPerEvent = ({ user, system }: NodeJS.CpuUsage) => rounded((user + system) / count);
      printReport(`encoding ${count} events`, [
        { name: 'encode', 'CPU µs per event': microsPerEvent(encoded), 'elapsed ms': Math.round(elapsed) },
        { name: 'rewrite', 'CPU µs per event': microsPerEvent(rewritten) },
      ]);
      const rows: ReportRow[] = [];
      for (const [name, condition] of Object.entries(conditions)) rows.push(await measurePage(stored, name, condition));
      printReport(`pages of a segment of ${count} events`, rows);
      const charts: ReportRow[] = [];
      for (const [name, [condition, grouping]] of Object.entries(charted))
        charts.push(await measureChart(stored, name, { condition, grouping }));
      printReport(`charts of a segment of ${count} events`, charts);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

const organization = '00000000-0000-8000-8000-000000000001';
const rounded = (value: number) => Math.round(value * 100) / 100;

async function onlyOf(segments: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const segment of segments) all.push(segment);
  const [only] = all;
  if (!only || all.length > 1) throw new Error(`${all.length} segments instead of one`);
  return only;
}

type OpenFile = Awaited<ReturnType<typeof open>>;

/** A segment in a file, which counts what is read. */
function storedIn(handle: OpenFile, key: string, length: number) {
  const counted = { reads: 0, bytes: 0 };
  const read = async (offset: number, count: number) => {
    counted.reads += 1;
    counted.bytes += count;
    return (await handle.read(Buffer.alloc(count), 0, count, offset)).buffer;
  };
  return { key, length, read, counted };
}
type CountedFile = ReturnType<typeof storedIn>;

function sectionsOf({ manifest }: Segment, length: number): ReportRow[] {
  const row = (name: string, bytes: number) => ({ name, bytes, 'bytes per event': rounded(bytes / manifest.events) });
  const rest = length - manifest.table.offset - manifest.table.length;
  return [
    ...Object.entries(manifest.sections).map(([name, { length: bytes, blocks }]) => ({ ...row(name, bytes), blocks })),
    row('table of blocks', manifest.table.length),
    row('manifest', rest),
    row('everything', length),
  ];
}

const id = (name: string) =>
  createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5');
const word = (text: string): StoreCondition => ({ is: 'terms', any: [hashTerm(text)] });
const kind = (any: string): StoreCondition => ({ is: 'column', column: 'kind', any: [any] });
const repository: StoreCondition = { is: 'column', column: 'repo', any: [id('repository7')] };
const onMain = word('branch\nmain');

/** The queries of docs/scale.md. */
const conditions: Record<string, StoreCondition> = {
  newest: { is: 'all' },
  kind: kind('commit'),
  repository,
  actor: { is: 'column', column: 'actor', any: [id('person7')] },
  'pull request': and(repository, { is: 'column', column: 'pr', any: [7] }),
  'kind and repository': and(kind('commit'), repository),
  'rare word': word('wrare'),
  'medium word': word('wmedium'),
  'common word': word('wcommon'),
  'word and repository': and(word('wmedium'), repository),
  'common word and repository': and(word('wcommon'), repository),
  'word and kind': and(word('wmedium'), kind('commit')),
  'two words': and(word('wmedium'), word('wcommon')),
  'two frequent words': and(word('wcommon'), onMain),
  negation: and(word('wmedium'), not(kind('commit'))),
  'OR of two': or(word('wmedium'), kind('vulnerability')),
  field: and(onMain, not(kind('commit'))),
  'phrase in a common word': and(word('wcommon'), { is: 'shows', text: 'wcommon wmedium' }),
};

const charted: Record<string, [StoreCondition, Grouping]> = {
  'all by kind': [{ is: 'all' }, { by: 'column', column: 'kind' }],
  'all by repository': [{ is: 'all' }, { by: 'column', column: 'repo' }],
  'commits on a branch by repository': [and(kind('commit'), onMain), { by: 'column', column: 'repo' }],
  'two frequent words, number only': [and(word('wcommon'), onMain), { by: 'nothing' }],
};

const evaluation = { resolve: () => Promise.reject(new Error('no other tables')) };

async function page(stored: CountedFile, condition: StoreCondition, cache: SegmentCache): Promise<number> {
  const segment = await openSegment(stored, cache);
  const ordinals = await findOrdinals(
    segment,
    condition,
    { direction: 'older', from: undefined, limit: 200 },
    evaluation,
  );
  const columns = listedColumns as ('id' | 'kind' | 'as_of' | 'received_at' | 'source' | 'summary')[];
  return (await readRows(segment, ordinals, columns)).length;
}

const measurePage = (stored: CountedFile, name: string, condition: StoreCondition) =>
  measure(stored, name, (cache) => page(stored, condition, cache));

const measureChart = (
  stored: CountedFile,
  name: string,
  { condition, grouping }: { condition: StoreCondition; grouping: Grouping },
) =>
  measure(stored, name, async (cache) => {
    const segment = await openSegment(stored, cache);
    const set = await matchingEvents(segment, condition, undefined, evaluation);
    const days = { start: Date.UTC(2026, 9, 1), size: 86_400_000 };
    return (await countByGroup(segment, set, grouping, days)).totals.reduce((sum, { n }) => sum + n, 0);
  });

/** Runs with an empty cache, and with the same one again. */
async function measure(
  stored: CountedFile,
  name: string,
  run: (cache: SegmentCache) => Promise<number>,
): Promise<ReportRow> {
  const { counted } = stored;
  const [cold, warm]: [number[], number[]] = [[], []];
  Object.assign(counted, { reads: 0, bytes: 0 });
  const events = await run(new SegmentCache());
  const { reads, bytes } = counted;
  const timed = async (times: number[], cache: SegmentCache) => {
    const started = performance.now();
    await run(cache);
    times.push(performance.now() - started);
  };
  for (let round = 0; round < 40; round += 1) await timed(cold, new SegmentCache());
  const cache = new SegmentCache();
  await run(cache);
  for (let round = 0; round < 200; round += 1) await timed(warm, cache);
  const at = (times: number[], share: number) =>
    rounded(times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? 0);
  return {
    name,
    events,
    'cold p50 ms': at(cold, 0.5),
    reads,
    'kB read': Math.round(bytes / 1024),
    'warm p50 ms': at(warm, 0.5),
    'warm p99 ms': at(warm, 0.99),
  };
}
