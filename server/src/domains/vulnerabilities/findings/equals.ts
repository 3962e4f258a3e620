import type { Tx } from '#database/database.ts';
import { nthKey } from './fingerprint.ts';
import { align } from './pairing.ts';

type ResultState = 'open' | 'suppressed' | 'fixed';

/** A result among several that are equal but for their line. */
interface Twin {
  place: number;
  line: number | null;
  state: ResultState;
  /** Of everything it says. */
  digest: string;
}

/** One of them as it is known: which it is, and how the analysis last saw it; null where it never did. */
interface KnownTwin {
  nth: number;
  line: number | null;
  state: ResultState | null;
  digest: string | null;
}

/** Tells equal results of a scan apart before they are compared with what is known. */
export async function numberEquals(tx: Tx, orgId: string, scan: string, repository: string, analysis: string) {
  const rows = await tx.query<{ key: string; results: Twin[]; known: KnownTwin[] }>({
    name: '',
    text: equalsSql,
    values: [orgId, scan, repository, analysis],
  });
  const changes = rows.flatMap(({ key, results, known }) => {
    const nths = numbered(results, known);
    return results.flatMap(({ place }, index) => {
      const nth = nths[index] ?? 1;
      return nth === 1 ? [] : [{ place, nth, key: nthKey(key, nth) }];
    });
  });
  if (changes.length === 0) return;
  await tx.query({
    name: '',
    text: `update scan_result r set first_key = r.key, key = c.key, nth = c.nth
           from json_to_recordset($3::json) as c(place int, nth int, key uuid)
           where r.org_id = $1 and r.scan_id = $2 and r.place = c.place`,
    values: [orgId, scan, JSON.stringify(changes)],
  });
}

/**
 * Which of the known ones each result is: those whose lines moved least, so that a decision about the second of three never
 * slips to the third once the first is gone. `results` in the order of their lines. Answers the nth of each.
 */
function numbered(results: readonly Twin[], known: readonly KnownTwin[]): number[] {
  const nths = new Map<Twin, number>();
  const used = new Set<number>();
  const take = (twin: Twin, nth: number) => {
    nths.set(twin, nth);
    used.add(nth);
  };
  // Without lines to go by, what says the same is the same.
  const sayings = Map.groupBy(
    known.filter(({ line, state }) => line === null && state !== null),
    ({ digest }) => digest,
  );
  for (const twin of results) {
    const other = twin.line === null ? sayings.get(twin.digest)?.shift() : undefined;
    if (other) take(twin, other.nth);
  }
  // What is said once more to be gone takes no other that stands away.
  for (const twin of results) {
    if (twin.state !== 'fixed' || nths.has(twin)) continue;
    const same = known.find(({ nth, state, digest }) => !used.has(nth) && state === 'fixed' && digest === twin.digest);
    if (same) take(twin, same.nth);
  }
  const pair = (fixed: boolean, knownFixed: boolean) => {
    const ones = results.filter((twin) => !nths.has(twin) && (twin.state === 'fixed') === fixed);
    const others = known
      .filter(({ nth, state }) => !used.has(nth) && state !== null && (state === 'fixed') === knownFixed)
      .sort((one, other) => (one.line ?? 0) - (other.line ?? 0) || one.nth - other.nth);
    for (const [a, b] of align(ones.map(lineOf), others.map(lineOf))) {
      const [one, other] = [ones[a], others[b]];
      if (one && other) take(one, other.nth);
    }
  };
  // What stands goes on where something stood; then what comes back, and what is said to be gone.
  pair(false, false);
  pair(false, true);
  pair(true, false);
  pair(true, true);
  let next = 1;
  return results.map((twin) => {
    const nth = nths.get(twin);
    if (nth !== undefined) return nth;
    while (used.has(next)) next += 1;
    used.add(next);
    return next;
  });
}

const lineOf = ({ line }: { line: number | null }) => line ?? 0;

const equalsSql = `
  with several as materialized (
    select key from scan_result where org_id = $1 and scan_id = $2 group by key having count(*) > 1
    union select first_key from finding_source where org_id = $1 and repository_id = $3 and nth > 1
  ),
  result as materialized (
    select r.key,
      jsonb_agg(jsonb_build_object('place', place, 'line', line, 'state', state, 'digest', digest) order by line nulls first, end_line, digest, place) as results
    from several s join scan_result r on r.org_id = $1 and r.scan_id = $2 and r.key = s.key group by r.key
  ),
  source as (
    select s.key, f.nth, f.fingerprint from result s
    join finding_source f on f.org_id = $1 and f.repository_id = $3 and f.fingerprint = s.key
    union all
    select s.key, f.nth, f.fingerprint from result s
    join finding_source f on f.org_id = $1 and f.repository_id = $3 and f.first_key = s.key and f.nth > 1
  ),
  known as (
    select s.key, jsonb_agg(jsonb_build_object('nth', s.nth, 'line', i.line, 'state', i.state,
      'digest', i.digest)) as known
    from source s left join finding_instance i on i.org_id = $1 and i.repository_id = $3 and i.analysis = $4
      and i.fingerprint = s.fingerprint
    group by s.key
  )
  select r.key, r.results, coalesce(k.known, '[]') as known from result r left join known k on k.key = r.key`;
