import type { Database } from '#database/database.ts';
import type { ConditionAtom, StoreCondition } from './condition.ts';
import { type AtomCounts, frequentCount, isAtom, isIndexed, possibleLeads, termsOfAtom } from './plan.ts';
import { listColumnSql, sqlTypes } from './tests.ts';

// Counting more terms than this is more expensive than a bad plan.
const maxTerms = 20;

// Frequent atoms stay frequent, and later pages of a query do not count others again. A wrong guess only costs time.
const knownCounts = new Map<string, { count: number; until: number }>();
const maxKnown = 20_000;
const secondsKnown = 60;

/**
 * The number of events in a list `p`, from the size of its times, of 8 bytes each behind a header of 21 to 24 bytes. The
 * array itself is not read.
 */
const listSizeSql = `(pg_column_size(${listColumnSql('as_of')}) - 20) / 8`;

/**
 * Counts the events of the possible leads of a condition up to `frequentCount`. Counts nothing if there is no choice, or
 * if there are only columns, among which PostgreSQL chooses.
 */
export async function countPossibleLeads(
  database: Database,
  orgId: string,
  condition: StoreCondition,
): Promise<AtomCounts> {
  const all = possibleLeads(atomsIn(condition));
  if (all.length < 2) return new Map();
  const keyOf = (atom: ConditionAtom) => `${orgId} ${JSON.stringify(atom)}`;
  const counts = new Map<ConditionAtom, number>();
  for (const atom of all) {
    const known = knownCounts.get(keyOf(atom));
    if (known && known.until > Date.now()) counts.set(atom, known.count);
  }
  const atoms = all.filter((atom) => !counts.has(atom));
  const listed = atoms.flatMap((atom) => {
    const terms = termsOfAtom(atom) ?? [];
    return terms.length > 0 && terms.length <= maxTerms ? [{ atom, terms }] : [];
  });
  const columns = atoms.filter(isIndexed).filter(({ column, any }) => column !== 'id' && any.length <= maxTerms);
  if (!all.some(termsOfAtom) || listed.length + columns.length === 0) return counts;
  const values: unknown[] = [
    listed.flatMap(({ terms }, place) => terms.map(() => place)),
    listed.flatMap(({ terms }) => terms),
    frequentCount,
  ];
  const parts = [
    `select a.place, sum((select count(*) from (
       select from posting_list p cross join lateral generate_series(1, least(${listSizeSql}, $4::int))
       where p.org_id = tenant.org and p.term = a.term limit $4) c))::int as count
     from unnest($2::int[], $3::bigint[]) as a(place, term) group by a.place`,
    ...(['kind', 'repo', 'actor'] as const).map((column) => {
      const columnValues = columns.flatMap((atom, place) =>
        atom.column === column ? atom.any.map((value) => ({ value, place: listed.length + place })) : [],
      );
      const places = values.push(columnValues.map(({ place }) => place)) + 1;
      const valueParameter = values.push(columnValues.map(({ value }) => value)) + 1;
      return `select a.place, sum((select count(*) from (
          select from event e where e.org_id = tenant.org and e.${column} = a.value limit $4) c))::int as count
        from unnest($${places}::int[], $${valueParameter}::${sqlTypes[column]}[]) as a(place, value) group by a.place`;
    }),
  ];
  const rows = await database.onceWithOrg<{ place: number; count: number }>(orgId, {
    name: 'events.counts',
    text: ` select c.place, c.count from tenant cross join lateral (${parts.join(' union all ')} offset 0) c`,
    values,
  });
  const places: (ConditionAtom | undefined)[] = [...listed.map(({ atom }) => atom), ...columns];
  for (const { place, count } of rows) {
    const atom = places[place];
    if (!atom) continue;
    counts.set(atom, count);
    if (knownCounts.size >= maxKnown) knownCounts.clear();
    knownCounts.set(keyOf(atom), { count, until: count < frequentCount ? Date.now() + secondsKnown * 1000 : Infinity });
  }
  return counts;
}

/** The atoms that the condition implies, or that may lead one of its alternatives. */
function atomsIn(condition: StoreCondition): ConditionAtom[] {
  if (condition.is === 'and' || condition.is === 'or') return condition.of.flatMap(atomsIn);
  return isAtom(condition) ? [condition] : [];
}
