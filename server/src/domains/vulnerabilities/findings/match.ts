import { newId } from '#core/ids.ts';
import type { Tx } from '#database/database.ts';
import { type CreatedChanges, createFindings } from './create-findings.ts';
import {
  absentInstancesSql,
  changedResultsSql,
  closeInstancesSql,
  insertTextsSql,
  insertTitlesSql,
  moveInstancesSql,
  registerAnalysisSql,
  sourcesOnOtherRefsSql,
  updateLastScanSql,
  writeResultsSql,
} from './match-sql.ts';
import { assignOccurrences } from './occurrences.ts';
import {
  type PairCandidate,
  pairMovedResults,
  pairRenamedFiles,
  pairResults,
  type ResultPair,
  withoutPairs,
} from './pairing.ts';
import { type MatchingFinding, matchSameLocations } from './same-location.ts';
import type { StagedScan } from './staged-scan.ts';
import { withJoinPlan } from './status.ts';

/** Number of findings by change of a scan. */
export interface ScanChanges {
  new: number;
  unchanged: number;
  fixed: number;
  reopened: number;
}

/** A result that differs from its known instance. */
interface Result extends PairCandidate {
  position: number;
  state: 'open' | 'suppressed' | 'fixed';
  findingId: string | null;
  was: 'open' | 'suppressed' | 'fixed' | null;
  findingStatus: string | null;
  /** Whether it was staged without its fields, because it equaled its known instance. */
  isBare: boolean;
}

/** A result that was staged without its fields has changed since. The results must be staged again. */
export class StagedResultsOutdated extends Error {
  constructor() {
    super('Another scan of the analysis has changed results since they were compared');
  }
}

/** An instance that this scan no longer reports. */
interface AbsentInstance extends PairCandidate {
  findingId: string;
}

/** The finding of a result; `source` is null for a known source. */
interface Assignment {
  position: number;
  key: string;
  finding: string;
  source: { reason: 'first' } | { reason: 'moved' | 'same_location'; explanation: string } | null;
}

export interface MatchOutcome {
  /** Findings that `recomputeFindings` must update. */
  touched: string[];
  created: string[];
  /** The part of the created findings in the changes of the scan. */
  createdChanges: CreatedChanges;
  changes: ScanChanges;
}

/**
 * Matches the results of a scan to findings, in a transaction that holds `lockFindings`. Unchanged results are not
 * written. Matches each result once, in this order: exact, moved, nearby, at the location of another scanner. Other
 * results become new findings.
 */
export async function matchResults(tx: Tx, scan: StagedScan): Promise<MatchOutcome> {
  const { orgId, id, repositoryId, analysis } = scan;
  const [counts] = await tx.query<{ here: number; rows: number }>({
    name: '',
    text: registerAnalysisSql,
    values: [orgId, id, repositoryId, analysis, scan.source, scan.tool, scan.category, scan.ref, scan.complete],
  });
  return withJoinPlan(tx, counts?.rows ?? 0, () => assignFindings(tx, scan, counts?.here ?? 0));
}

/** Assigns every result to a finding and writes the assignments. `here`: number of results that are not fixed. */
async function assignFindings(tx: Tx, scan: StagedScan, here: number): Promise<MatchOutcome> {
  const { orgId, id, repositoryId, analysis } = scan;
  const key = [orgId, id, repositoryId, analysis];
  await assignOccurrences(tx, orgId, { scan: id, repository: repositoryId, analysis });
  const results = await tx.query<Result>({ name: '', text: changedResultsSql, values: key });
  if (results.some(({ isBare }) => isBare)) throw new StagedResultsOutdated();
  const gone = scan.complete ? await tx.query<AbsentInstance>({ name: '', text: absentInstancesSql, values: key }) : [];

  const fresh = results.filter(({ findingId, state }) => findingId === null && state !== 'fixed');
  const pairs = await pairsOf(tx, scan, fresh, gone);
  const unmatched = withoutPairs(fresh, gone, pairs);
  const elsewhere = scan.complete ? await pairsElsewhere(tx, scan, unmatched.fresh) : [];
  const sameLocations = await matchSameLocations(tx, scan, withoutPairs(unmatched.fresh, [], elsewhere).fresh);
  const assignments = assign(scan, results, [...pairs, ...elsewhere], sameLocations);

  const known = assignments.filter((assignment) => !isNew(assignment));
  const created = assignments.filter(isNew);
  await moveInstances(tx, scan, pairs);
  if (assignments.length > 0) await insertTextsAndTitles(tx, scan, assignments);
  await writeResults(tx, scan, known);
  await closeInstances(tx, scan, unmatched.gone);
  await tx.query({ name: '', text: updateLastScanSql, values: [...key, scan.complete] });
  const touched = new Set([
    ...known.map(({ finding }) => finding),
    ...unmatched.gone.map(({ findingId }) => findingId),
  ]);
  return {
    touched: [...touched],
    created: created.map(({ finding }) => finding),
    createdChanges: await createFindings(tx, scan, created),
    changes: countOf(results, { pairs, assignments, gone: unmatched.gone, here }),
  };
}

async function pairsOf(
  tx: Tx,
  scan: StagedScan,
  fresh: Result[],
  gone: readonly AbsentInstance[],
): Promise<ResultPair<Result, AbsentInstance>[]> {
  if (fresh.length === 0 || gone.length === 0) return [];
  const pairs = pairResults(fresh, gone);
  const unmatched = withoutPairs(fresh, gone, pairs);
  if (unmatched.fresh.length === 0 || unmatched.gone.length === 0) return pairs;
  // A renamed file has a path without earlier results, and its old path has no results in this scan.
  const paths = [...new Set([...unmatched.fresh, ...unmatched.gone].flatMap(({ path }) => path ?? []))];
  const rows = await tx.query<{ path: string }>({
    name: '',
    text: `select distinct r.path from scan_result r
           join finding_instance i on i.org_id = $1 and i.repository_id = $3 and i.analysis = $4 and i.fingerprint = r.key
           where r.org_id = $1 and r.scan_id = $2 and r.path = any($5::text[])`,
    values: [scan.orgId, scan.id, scan.repositoryId, scan.analysis, paths],
  });
  const knownPaths = new Set(rows.map(({ path }) => path));
  const newPaths = new Set(unmatched.fresh.map(({ path }) => path));
  const files = pairRenamedFiles(
    unmatched.fresh.filter(({ path }) => path !== null && !knownPaths.has(path)),
    unmatched.gone.filter(({ path }) => path !== null && !knownPaths.has(path) && !newPaths.has(path)),
  );
  return [...pairs, ...files];
}

/** Matches files that were renamed only on this ref: the old path exists on other refs and is not in this scan. */
async function pairsElsewhere(
  tx: Tx,
  scan: StagedScan,
  fresh: readonly Result[],
): Promise<ResultPair<Result, AbsentInstance>[]> {
  const positions = fresh.filter(({ movedKey }) => movedKey !== null).map(({ position }) => position);
  if (positions.length === 0) return [];
  const values = [scan.orgId, scan.id, scan.repositoryId, positions];
  return pairMovedResults(fresh, await tx.query<AbsentInstance>({ name: '', text: sourcesOnOtherRefsSql, values }));
}

function assign(
  scan: StagedScan,
  results: readonly Result[],
  pairs: readonly ResultPair<Result, AbsentInstance>[],
  sameLocations: ReadonlyMap<number, MatchingFinding>,
): Assignment[] {
  const moved = new Map(pairs.map(({ fresh, gone }) => [fresh.position, { fresh, gone }]));
  return results.map((result) => {
    const { position, id: key, findingId } = result;
    if (findingId !== null) return { position, key, finding: findingId, source: null };
    const pair = moved.get(position);
    if (pair) {
      const explanation = movedSentence(scan, pair);
      return { position, key, finding: pair.gone.findingId, source: { reason: 'moved', explanation } };
    }
    const same = sameLocations.get(position);
    if (same)
      return {
        position,
        key,
        finding: same.findingId,
        source: { reason: 'same_location', explanation: same.explanation },
      };
    return { position, key, finding: newId(), source: { reason: 'first' } };
  });
}

const isNew = ({ source }: Assignment) => source?.reason === 'first';

const nameOf = ({ toolName }: StagedScan, { ruleId }: PairCandidate) => `${toolName} ${ruleId}`;
const whereOf = ({ path, line }: PairCandidate) =>
  path === null ? 'without a file' : `at ${path}${line === null ? '' : `:${line}`}`;

const movedSentence = (scan: StagedScan, { fresh, gone }: ResultPair<Result, AbsentInstance>): string =>
  `${nameOf(scan, fresh)} reported it ${whereOf(gone)} before; the same scan reports it ${whereOf(fresh)} instead, ${
    fresh.movedKey !== null && fresh.movedKey === gone.movedKey ? 'with the same content' : 'by the same rule'
  }.`;

/** Updates the fingerprints of moved instances. */
async function moveInstances(
  tx: Tx,
  scan: StagedScan,
  pairs: readonly ResultPair<Result, AbsentInstance>[],
): Promise<void> {
  if (pairs.length === 0) return;
  const moves = Object.fromEntries(pairs.map(({ fresh, gone }) => [gone.id, fresh.id]));
  await tx.query({
    name: '',
    text: moveInstancesSql,
    values: [scan.orgId, scan.repositoryId, scan.analysis, Object.keys(moves), JSON.stringify(moves)],
  });
}

async function insertTextsAndTitles(
  tx: Tx,
  { orgId, id }: StagedScan,
  assignments: readonly Assignment[],
): Promise<void> {
  await tx.query({ name: '', text: insertTextsSql, values: [orgId, id] });
  const positions = assignments.map(({ position }) => position);
  await tx.query({ name: '', text: insertTitlesSql, values: [orgId, id, positions] });
}

async function writeResults(tx: Tx, scan: StagedScan, assignments: readonly Assignment[]): Promise<void> {
  if (assignments.length === 0) return;
  const { orgId, id, repositoryId, analysis, tool, ref, commit, complete } = scan;
  const work = assignments.map(({ position, finding, source }) => ({ position, finding, ...source }));
  await tx.query({
    name: '',
    text: writeResultsSql,
    values: [orgId, id, repositoryId, analysis, JSON.stringify(work), tool, ref, commit, complete],
  });
}

async function closeInstances(tx: Tx, scan: StagedScan, gone: readonly AbsentInstance[]): Promise<void> {
  if (gone.length === 0) return;
  await tx.query({
    name: '',
    text: closeInstancesSql,
    values: [scan.orgId, scan.id, scan.repositoryId, scan.analysis, gone.map((instance) => instance.id)],
  });
}

/** Counts findings by change. `here`: number of results that are not fixed, known or new. */
function countOf(
  results: readonly Result[],
  {
    pairs,
    assignments,
    gone,
    here,
  }: {
    pairs: readonly ResultPair<Result, AbsentInstance>[];
    assignments: readonly Assignment[];
    gone: readonly AbsentInstance[];
    here: number;
  },
): ScanChanges {
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
