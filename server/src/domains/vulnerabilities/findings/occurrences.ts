import type { Tx } from '#database/database.ts';
import { occurrenceKey } from './fingerprint.ts';
import { alignLines } from './pairing.ts';

type ResultState = 'open' | 'suppressed' | 'fixed';

/** One of several results that differ only in their line. */
interface Twin {
  position: number;
  line: number | null;
  state: ResultState;
  /** Hash of the entire result. */
  digest: string;
}

/** A known source of such results, with its last state in the analysis; null if the analysis never had it. */
interface KnownTwin {
  occurrence: number;
  line: number | null;
  state: ResultState | null;
  digest: string | null;
}

/** Numbers equal results of a scan before they are compared with known sources. */
export async function numberEqualResults(
  tx: Tx,
  orgId: string,
  { scan, repository, analysis }: { scan: string; repository: string; analysis: string },
) {
  const rows = await tx.query<{ key: string; results: Twin[]; known: KnownTwin[] }>({
    name: '',
    text: equalsSql,
    values: [orgId, scan, repository, analysis],
  });
  const changes = rows.flatMap(({ key, results, known }) => {
    const occurrences = assignOccurrences(results, known);
    return results.flatMap(({ position }, index) => {
      const occurrence = occurrences[index] ?? 1;
      return occurrence === 1 ? [] : [{ position, occurrence, key: occurrenceKey(key, occurrence) }];
    });
  });
  if (changes.length === 0) return;
  await tx.query({
    name: '',
    text: `update scan_result r set first_key = r.key, key = c.key, occurrence = c.occurrence
           from json_to_recordset($3::json) as c(position int, occurrence int, key uuid)
           where r.org_id = $1 and r.scan_id = $2 and r.position = c.position`,
    values: [orgId, scan, JSON.stringify(changes)],
  });
}

/**
 * Assigns known occurrences to results so that their lines move least: if the first of three is fixed, a decision about
 * the second does not move to the third. `results` are in line order. Returns the occurrence of each result.
 */
function assignOccurrences(results: readonly Twin[], known: readonly KnownTwin[]): number[] {
  const occurrences = new Map<Twin, number>();
  const used = new Set<number>();
  const assign = (twin: Twin, occurrence: number) => {
    occurrences.set(twin, occurrence);
    used.add(occurrence);
  };
  // Without lines, results with the same digest are the same.
  const knownByDigest = Map.groupBy(
    known.filter(({ line, state }) => line === null && state !== null),
    ({ digest }) => digest,
  );
  for (const twin of results) {
    const other = twin.line === null ? knownByDigest.get(twin.digest)?.shift() : undefined;
    if (other) assign(twin, other.occurrence);
  }
  // A result that is still reported as fixed must not occupy the occurrence of an open one.
  for (const twin of results) {
    if (twin.state !== 'fixed' || occurrences.has(twin)) continue;
    const same = known.find(
      ({ occurrence, state, digest }) => !used.has(occurrence) && state === 'fixed' && digest === twin.digest,
    );
    if (same) assign(twin, same.occurrence);
  }
  const pairUnmatched = (fixed: boolean, knownFixed: boolean) => {
    const unmatched = results.filter((twin) => !occurrences.has(twin) && (twin.state === 'fixed') === fixed);
    const others = known
      .filter(({ occurrence, state }) => !used.has(occurrence) && state !== null && (state === 'fixed') === knownFixed)
      .sort((one, other) => (one.line ?? 0) - (other.line ?? 0) || one.occurrence - other.occurrence);
    for (const [a, b] of alignLines(unmatched.map(lineOf), others.map(lineOf))) {
      const [one, other] = [unmatched[a], others[b]];
      if (one && other) assign(one, other.occurrence);
    }
  };
  // Open results match open occurrences first, then fixed ones. Fixed results follow.
  pairUnmatched(false, false);
  pairUnmatched(false, true);
  pairUnmatched(true, false);
  pairUnmatched(true, true);
  let next = 1;
  return results.map((twin) => {
    const occurrence = occurrences.get(twin);
    if (occurrence !== undefined) return occurrence;
    while (used.has(next)) next += 1;
    used.add(next);
    return next;
  });
}

const lineOf = ({ line }: { line: number | null }) => line ?? 0;

const equalsSql = `
  with several as materialized (
    select key from scan_result where org_id = $1 and scan_id = $2 group by key having count(*) > 1
    union select first_key from finding_source where org_id = $1 and repository_id = $3 and occurrence > 1
  ),
  result as materialized (
    select r.key,
      jsonb_agg(jsonb_build_object('position', position, 'line', line, 'state', state, 'digest', digest) order by line nulls first, end_line, digest, position) as results
    from several s join scan_result r on r.org_id = $1 and r.scan_id = $2 and r.key = s.key group by r.key
  ),
  source as (
    select s.key, f.occurrence, f.fingerprint from result s
    join finding_source f on f.org_id = $1 and f.repository_id = $3 and f.fingerprint = s.key
    union all
    select s.key, f.occurrence, f.fingerprint from result s
    join finding_source f on f.org_id = $1 and f.repository_id = $3 and f.first_key = s.key and f.occurrence > 1
  ),
  known as (
    select s.key, jsonb_agg(jsonb_build_object('occurrence', s.occurrence, 'line', i.line, 'state', i.state,
      'digest', i.digest)) as known
    from source s left join finding_instance i on i.org_id = $1 and i.repository_id = $3 and i.analysis = $4
      and i.fingerprint = s.fingerprint
    group by s.key
  )
  select r.key, r.results, coalesce(k.known, '[]') as known from result r left join known k on k.key = r.key`;
