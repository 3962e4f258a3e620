import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { numberEquals } from './equals.ts';
import {
  beginSql,
  closeSql,
  compareSql,
  elsewhereSql,
  goneSql,
  keepTitlesSql,
  moveSql,
  seenSql,
  textsSql,
  writeSql,
} from './match-sql.ts';
import { type Pair, pairFiles, pairMoved, pairUp, type Unpaired, unpaired } from './pairing.ts';
import { type MatchingFinding, samePlaces } from './same-place.ts';
import type { StagedScan } from './staged-scan.ts';
import { planned } from './status.ts';

/** What a scan changed, in findings. */
export interface Changes {
  new: number;
  unchanged: number;
  fixed: number;
  reopened: number;
}

/** A result that differs from what is known. */
interface Result extends Unpaired {
  position: number;
  state: 'open' | 'suppressed' | 'fixed';
  findingId: string | null;
  was: 'open' | 'suppressed' | 'fixed' | null;
  findingStatus: string | null;
}

/** An instance that this scan does not see any more. */
interface Gone extends Unpaired {
  findingId: string;
}

/** Where a result goes; `source` where it is not known as a source yet. */
interface Assignment {
  position: number;
  finding: string;
  source: { reason: 'first' } | { reason: 'moved' | 'same_location'; explanation: string } | null;
}

/** `touched`: findings that are to be worked out anew by `recompute`. */
export interface Matched {
  touched: string[];
  changes: Changes;
}

/**
 * Finds the findings of the results of a scan, in the caller's transaction, which has asked for `lockFindings`. What is as
 * it was is not written again. Exact, moved, nearby, at the position of another scanner's: in that order, each once; the rest
 * is new.
 */
export async function matchResults(tx: Tx, scan: StagedScan): Promise<Matched> {
  const { orgId, id, repositoryId, analysis } = scan;
  const [begun] = await tx.query<{ here: number; rows: number }>({
    name: '',
    text: beginSql,
    values: [orgId, id, repositoryId, analysis, scan.source, scan.tool, scan.category, scan.ref, scan.complete],
  });
  return planned(tx, begun?.rows ?? 0, () => assignFindings(tx, scan, begun?.here ?? 0));
}

/** Finds for every result where it goes, and writes that. `here`: how many results do not say that they are fixed. */
async function assignFindings(tx: Tx, scan: StagedScan, here: number): Promise<Matched> {
  const { orgId, id, repositoryId, analysis } = scan;
  const key = [orgId, id, repositoryId, analysis];
  await numberEquals(tx, orgId, { scan: id, repository: repositoryId, analysis });
  const results = await tx.query<Result>({ name: '', text: compareSql, values: key });
  const gone = scan.complete ? await tx.query<Gone>({ name: '', text: goneSql, values: key }) : [];

  const fresh = results.filter(({ findingId, state }) => findingId === null && state !== 'fixed');
  const pairs = await pairsOf(tx, scan, fresh, gone);
  const left = unpaired(fresh, gone, pairs);
  const elsewhere = scan.complete ? await pairsElsewhere(tx, scan, left.fresh) : [];
  const places = await samePlaces(tx, scan, unpaired(left.fresh, [], elsewhere).fresh);
  const assignments = assign(scan, results, [...pairs, ...elsewhere], places);

  await move(tx, scan, pairs);
  await write(tx, scan, assignments);
  await close(tx, scan, left.gone);
  await tx.query({ name: '', text: seenSql, values: [...key, scan.complete] });
  const touched = new Set([
    ...assignments.map(({ finding }) => finding),
    ...left.gone.map(({ findingId }) => findingId),
  ]);
  return { touched: [...touched], changes: countOf(results, { pairs, assignments, gone: left.gone, here }) };
}

async function pairsOf(
  tx: Tx,
  scan: StagedScan,
  fresh: Result[],
  gone: readonly Gone[],
): Promise<Pair<Result, Gone>[]> {
  if (fresh.length === 0 || gone.length === 0) return [];
  const pairs = pairUp(fresh, gone);
  const left = unpaired(fresh, gone, pairs);
  if (left.fresh.length === 0 || left.gone.length === 0) return pairs;
  // A file can only have been renamed to one that had nothing, and from one that has nothing any more.
  const paths = [...new Set([...left.fresh, ...left.gone].flatMap(({ path }) => path ?? []))];
  const rows = await tx.query<{ path: string }>({
    name: '',
    text: `select distinct r.path from scan_result r
           join finding_instance i on i.org_id = $1 and i.repository_id = $3 and i.analysis = $4 and i.fingerprint = r.key
           where r.org_id = $1 and r.scan_id = $2 and r.path = any($5::text[])`,
    values: [scan.orgId, scan.id, scan.repositoryId, scan.analysis, paths],
  });
  const kept = new Set(rows.map(({ path }) => path));
  const newPaths = new Set(left.fresh.map(({ path }) => path));
  const files = pairFiles(
    left.fresh.filter(({ path }) => path !== null && !kept.has(path)),
    left.gone.filter(({ path }) => path !== null && !kept.has(path) && !newPaths.has(path)),
  );
  return [...pairs, ...files];
}

/** A file that was renamed on this ref alone: its old path stands on others, and is not in this scan. */
async function pairsElsewhere(tx: Tx, scan: StagedScan, fresh: readonly Result[]): Promise<Pair<Result, Gone>[]> {
  const places = fresh.filter(({ movedKey }) => movedKey !== null).map(({ position }) => position);
  if (places.length === 0) return [];
  const values = [scan.orgId, scan.id, scan.repositoryId, places];
  return pairMoved(fresh, await tx.query<Gone>({ name: '', text: elsewhereSql, values }));
}

function assign(
  scan: StagedScan,
  results: readonly Result[],
  pairs: readonly Pair<Result, Gone>[],
  places: ReadonlyMap<number, MatchingFinding>,
): Assignment[] {
  const moved = new Map(pairs.map(({ fresh, gone }) => [fresh.position, { fresh, gone }]));
  return results.map((result) => {
    const { position, findingId } = result;
    if (findingId !== null) return { position, finding: findingId, source: null };
    const pair = moved.get(position);
    if (pair) {
      const explanation = movedSentence(scan, pair);
      return { position, finding: pair.gone.findingId, source: { reason: 'moved', explanation } };
    }
    const same = places.get(position);
    if (same)
      return { position, finding: same.findingId, source: { reason: 'same_location', explanation: same.explanation } };
    return { position, finding: newId(), source: { reason: 'first' } };
  });
}

const nameOf = ({ toolName }: StagedScan, { ruleId }: Unpaired) => `${toolName} ${ruleId}`;
const whereOf = ({ path, line }: Unpaired) =>
  path === null ? 'without a file' : `at ${path}${line === null ? '' : `:${line}`}`;

const movedSentence = (scan: StagedScan, { fresh, gone }: Pair<Result, Gone>): string =>
  `${nameOf(scan, fresh)} reported it ${whereOf(gone)} before; the same scan reports it ${whereOf(fresh)} instead, ${
    fresh.movedKey !== null && fresh.movedKey === gone.movedKey ? 'with the same content' : 'by the same rule'
  }.`;

/** Instances go on under their new fingerprint. */
async function move(tx: Tx, scan: StagedScan, pairs: readonly Pair<Result, Gone>[]): Promise<void> {
  if (pairs.length === 0) return;
  const moves = Object.fromEntries(pairs.map(({ fresh, gone }) => [gone.id, fresh.id]));
  await tx.query({
    name: '',
    text: moveSql,
    values: [scan.orgId, scan.repositoryId, scan.analysis, Object.keys(moves), JSON.stringify(moves)],
  });
}

async function write(tx: Tx, scan: StagedScan, assignments: readonly Assignment[]): Promise<void> {
  if (assignments.length === 0) return;
  const { orgId, id, repositoryId, analysis, tool, toolName, ref, commit, complete } = scan;
  const places = assignments.map(({ position }) => position);
  await tx.query({ name: '', text: textsSql, values: [orgId, id] });
  await tx.query({ name: '', text: keepTitlesSql, values: [orgId, id, places] });
  const work = assignments.map(({ position, finding, source }) => ({ position, finding, ...source }));
  await tx.query({
    name: '',
    text: writeSql,
    values: [orgId, id, repositoryId, analysis, JSON.stringify(work), tool, ref, commit, complete, toolName],
  });
}

async function close(tx: Tx, scan: StagedScan, gone: readonly Gone[]): Promise<void> {
  if (gone.length === 0) return;
  await tx.query({
    name: '',
    text: closeSql,
    values: [scan.orgId, scan.id, scan.repositoryId, scan.analysis, gone.map((instance) => instance.id)],
  });
}

/** `here`: how many results say that they are there, whether known or not. */
function countOf(
  results: readonly Result[],
  {
    pairs,
    assignments,
    gone,
    here,
  }: { pairs: readonly Pair<Result, Gone>[]; assignments: readonly Assignment[]; gone: readonly Gone[]; here: number },
): Changes {
  const moved = new Set(pairs.map(({ fresh }) => fresh.position));
  const counts = { new: 0, unchanged: 0, fixed: 0, reopened: 0 };
  const present = new Set<string>();
  results.forEach(({ position, state, was, findingStatus }, index) => {
    const assignment = assignments[index];
    const stays = was === 'open' || was === 'suppressed' || moved.has(position);
    if (state === 'fixed') {
      counts.fixed += stays ? 1 : 0;
      return;
    }
    if (assignment) present.add(assignment.finding);
    if (stays) return;
    if (was === 'fixed' || findingStatus === 'fixed') counts.reopened += 1;
    else if (assignment?.source?.reason === 'first') counts.new += 1;
  });
  counts.fixed += gone.filter(({ findingId }) => !present.has(findingId)).length;
  counts.unchanged = here - counts.new - counts.reopened;
  return counts;
}
