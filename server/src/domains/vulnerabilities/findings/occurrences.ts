import type { Tx } from '#database/database.ts';
import { occurrenceKey } from './fingerprint.ts';
import { alignLines } from './pairing.ts';

type ResultState = 'open' | 'suppressed' | 'fixed';

/** One of several results of a scan with the same fingerprint, such as equal code on two lines. */
interface DuplicateResult {
  position: number;
  line: number | null;
  state: ResultState;
  /** Hash of the entire result. */
  digest: string;
}

/** An occurrence of the fingerprint in `finding_source`, with its last state in the analysis; null if the analysis never had it. */
interface KnownOccurrence {
  occurrence: number;
  line: number | null;
  state: ResultState | null;
  digest: string | null;
}

/**
 * Assigns an occurrence to each result of a scan whose fingerprint other results share, before `matchResults` compares
 * the results with known sources. `base_key` keeps the shared fingerprint; `key` then includes the occurrence.
 */
export async function assignOccurrences(
  tx: Tx,
  orgId: string,
  { scan, repository, analysis }: { scan: string; repository: string; analysis: string },
) {
  const rows = await tx.query<{ key: string; results: DuplicateResult[]; known: KnownOccurrence[] }>({
    name: '',
    text: duplicatesSql,
    values: [orgId, scan, repository, analysis],
  });
  const changes = rows.flatMap(({ key, results, known }) => {
    const occurrences = matchOccurrences(results, known);
    return results.flatMap(({ position }, index) => {
      const occurrence = occurrences[index] ?? 1;
      return occurrence === 1 ? [] : [{ position, occurrence, key: occurrenceKey(key, occurrence) }];
    });
  });
  if (changes.length === 0) return;
  await tx.query({
    name: '',
    text: `update scan_result r set base_key = r.key, key = c.key, occurrence = c.occurrence
           from json_to_recordset($3::json) as c(position int, occurrence int, key uuid)
           where r.org_id = $1 and r.scan_id = $2 and r.position = c.position`,
    values: [orgId, scan, JSON.stringify(changes)],
  });
}

/**
 * Assigns known occurrences to results so that their lines move least: if the first of three is fixed, a decision about
 * the second does not move to the third. `results` are in line order. Returns the occurrence of each result.
 */
function matchOccurrences(results: readonly DuplicateResult[], known: readonly KnownOccurrence[]): number[] {
  const occurrences = new Map<DuplicateResult, number>();
  const used = new Set<number>();
  const assign = (result: DuplicateResult, occurrence: number) => {
    occurrences.set(result, occurrence);
    used.add(occurrence);
  };
  // Without lines, results with the same digest are the same.
  const knownByDigest = Map.groupBy(
    known.filter(({ line, state }) => line === null && state !== null),
    ({ digest }) => digest,
  );
  for (const result of results) {
    const other = result.line === null ? knownByDigest.get(result.digest)?.shift() : undefined;
    if (other) assign(result, other.occurrence);
  }
  // A result that is still reported as fixed must not occupy the occurrence of an open one.
  for (const result of results) {
    if (result.state !== 'fixed' || occurrences.has(result)) continue;
    const same = known.find(
      ({ occurrence, state, digest }) => !used.has(occurrence) && state === 'fixed' && digest === result.digest,
    );
    if (same) assign(result, same.occurrence);
  }
  const pairUnmatched = (fixed: boolean, knownFixed: boolean) => {
    const unmatched = results.filter((result) => !occurrences.has(result) && (result.state === 'fixed') === fixed);
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
  return results.map((result) => {
    const occurrence = occurrences.get(result);
    if (occurrence !== undefined) return occurrence;
    while (used.has(next)) next += 1;
    used.add(next);
    return next;
  });
}

const lineOf = ({ line }: { line: number | null }) => line ?? 0;

const duplicatesSql = `
  with duplicated as materialized (
    select key from scan_result where org_id = $1 and scan_id = $2 group by key having count(*) > 1
    union select base_key from finding_source where org_id = $1 and repository_id = $3 and occurrence > 1
  ),
  result as materialized (
    select r.key,
      jsonb_agg(jsonb_build_object('position', position, 'line', line, 'state', state, 'digest', digest) order by line nulls first, end_line, digest, position) as results
    from duplicated s join scan_result r on r.org_id = $1 and r.scan_id = $2 and r.key = s.key group by r.key
  ),
  source as (
    select s.key, f.occurrence, f.fingerprint from result s
    join finding_source f on f.org_id = $1 and f.repository_id = $3 and f.fingerprint = s.key
    union all
    select s.key, f.occurrence, f.fingerprint from result s
    join finding_source f on f.org_id = $1 and f.repository_id = $3 and f.base_key = s.key and f.occurrence > 1
  ),
  known as (
    select s.key, jsonb_agg(jsonb_build_object('occurrence', s.occurrence, 'line', i.line, 'state', i.state,
      'digest', i.digest)) as known
    from source s left join finding_instance i on i.org_id = $1 and i.repository_id = $3 and i.analysis = $4
      and i.fingerprint = s.fingerprint
    group by s.key
  )
  select r.key, r.results, coalesce(k.known, '[]') as known from result r left join known k on k.key = r.key`;
