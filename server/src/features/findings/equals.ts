import type { Tx } from '#database/database.ts';
import { nthKey } from './identity.ts';
import { align } from './pairing.ts';

/** A result among several that are equal but for their line. */
interface Twin {
  place: number;
  line: number | null;
}

/** One of them as it is known: which it is, and where it stood when the analysis last saw it; undefined where it did not. */
interface KnownTwin {
  nth: number;
  line: number | null | undefined;
}

/**
 * Which of the known ones each result is: those whose lines moved least, so that a decision about the second of three never
 * slips to the third once the first is gone. `results` in the order of their lines. Answers the nth of each.
 */
export function numbered(results: readonly Twin[], known: readonly KnownTwin[]): number[] {
  const here = known
    .filter(({ line }) => line !== undefined)
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0) || one.nth - other.nth);
  const pairs = new Map(
    align(
      results.map(({ line }) => line ?? 0),
      here.map(({ line }) => line ?? 0),
    ),
  );
  const used = new Set([...pairs.values()].map((place) => here[place]?.nth ?? 0));
  let next = 0;
  const unused = () => {
    do next += 1;
    while (used.has(next));
    return next;
  };
  return results.map((_, place) => here[pairs.get(place) ?? -1]?.nth ?? unused());
}

/** Tells equal results of a scan apart before they are compared with what is known. */
export async function numberEquals(tx: Tx, orgId: string, scan: string, repository: string, analysis: string) {
  const rows = await tx.query<{ key: string; results: Twin[]; known: (KnownTwin & { here: boolean })[] }>({
    name: '',
    text: equalsSql,
    values: [orgId, scan, repository, analysis],
  });
  const changes = rows.flatMap(({ key, results, known }) => {
    const twins = known.map(({ nth, line, here }) => ({ nth, line: here ? line : undefined }));
    const nths = numbered(results, twins);
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

const equalsSql = `
  with several as materialized (
    select key from scan_result where org_id = $1 and scan_id = $2 group by key having count(*) > 1
    union select first_key from finding_source where org_id = $1 and repository_id = $3 and nth > 1
  ),
  result as materialized (
    select r.key,
      jsonb_agg(jsonb_build_object('place', place, 'line', line) order by line nulls first, end_line, digest, place) as results
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
    select s.key, jsonb_agg(jsonb_build_object('nth', s.nth, 'line', i.line, 'here', i.state is not null)) as known
    from source s left join finding_instance i on i.org_id = $1 and i.repository_id = $3 and i.analysis = $4
      and i.fingerprint = s.fingerprint and i.state <> 'fixed'
    group by s.key
  )
  select r.key, r.results, coalesce(k.known, '[]') as known from result r left join known k on k.key = r.key`;
