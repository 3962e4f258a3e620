import type { Tx } from '#database/database.ts';
import { occurrenceKey } from './fingerprint.ts';
import { align } from './pairing.ts';

type ResultState = 'open' | 'suppressed' | 'fixed';

/** A result among several that are equal but for their line. */
interface Twin {
  position: number;
  line: number | null;
  state: ResultState;
  /** Of everything it says. */
  digest: string;
}

/** One of them as it is known: which it is, and how the analysis last saw it; null where it never did. */
interface KnownTwin {
  occurrence: number;
  line: number | null;
  state: ResultState | null;
  digest: string | null;
}

/** Tells equal results of a scan apart before they are compared with what is known. */
export async function numberEquals(
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
    const occurrences = numbered(results, known);
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
 * Which of the known ones each result is: those whose lines moved least, so that a decision about the second of three never
 * slips to the third once the first is gone. `results` in the order of their lines. Answers the occurrence of each.
 */
function numbered(results: readonly Twin[], known: readonly KnownTwin[]): number[] {
  const occurrences = new Map<Twin, number>();
  const used = new Set<number>();
  const take = (twin: Twin, occurrence: number) => {
    occurrences.set(twin, occurrence);
    used.add(occurrence);
  };
  // Without lines to go by, what says the same is the same.
  const sayings = Map.groupBy(
    known.filter(({ line, state }) => line === null && state !== null),
    ({ digest }) => digest,
  );
  for (const twin of results) {
    const other = twin.line === null ? sayings.get(twin.digest)?.shift() : undefined;
    if (other) take(twin, other.occurrence);
  }
  // What is said once more to be gone takes no other that stands away.
  for (const twin of results) {
    if (twin.state !== 'fixed' || occurrences.has(twin)) continue;
    const same = known.find(
      ({ occurrence, state, digest }) => !used.has(occurrence) && state === 'fixed' && digest === twin.digest,
    );
    if (same) take(twin, same.occurrence);
  }
  const pair = (fixed: boolean, knownFixed: boolean) => {
    const ones = results.filter((twin) => !occurrences.has(twin) && (twin.state === 'fixed') === fixed);
    const others = known
      .filter(({ occurrence, state }) => !used.has(occurrence) && state !== null && (state === 'fixed') === knownFixed)
      .sort((one, other) => (one.line ?? 0) - (other.line ?? 0) || one.occurrence - other.occurrence);
    for (const [a, b] of align(ones.map(lineOf), others.map(lineOf))) {
      const [one, other] = [ones[a], others[b]];
      if (one && other) take(one, other.occurrence);
    }
  };
  // What stands goes on where something stood; then what comes back, and what is said to be gone.
  pair(false, false);
  pair(false, true);
  pair(true, false);
  pair(true, true);
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
