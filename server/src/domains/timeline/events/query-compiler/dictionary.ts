import { Refusal } from '#core/errors.ts';
import type { Database } from '#database/database.ts';
import { likePatternOf } from '#database/page.ts';
import { termOfPattern } from '../fields.ts';
import type { EventField } from '../new-event.ts';

/** Maximum values that a pattern may match; more would be too expensive. */
const MAX_MATCHED_VALUES = 1000;

/** The terms of values or words that match one of these lower-case patterns, whose asterisks match any text. */
export async function termsMatchingPatterns(
  database: Database,
  orgId: string,
  field: EventField | 'word',
  patterns: readonly string[],
): Promise<number[]> {
  const direct = patterns.flatMap((pattern) => (field === 'word' ? [] : (termOfPattern(field, pattern) ?? [])));
  const others = patterns.filter((pattern) => field === 'word' || termOfPattern(field, pattern) === undefined);
  if (others.length === 0) return direct;
  const rows = await database.onceWithOrg<{ term: number }>(orgId, {
    name: 'events.names',
    // Pending rows contain names that are not in the dictionary yet.
    text: ` select n.term from tenant cross join lateral (
              select d.term from (
                select x.term from unnest($3::text[], $4::text[], $5::text[]) as w(pattern, low, high) cross join lateral (
                  select term from posting_name n
                  where n.org_id = tenant.org and n.field = $2 and n.value >= w.low and n.value < w.high and n.value like w.pattern
                  limit $6) x
                union
                select x.term from posting_pending p cross join lateral unnest(p.names, p.name_terms) as x(name, term)
                where p.org_id = tenant.org and split_part(x.name, E'\\n', 1) = $2
                  and substr(x.name, strpos(x.name, E'\\n') + 1) like any($3::text[])) d
              limit $6 offset 0) n`,
    values: [field, ...bounded(others), MAX_MATCHED_VALUES + 1],
  });
  if (rows.length > MAX_MATCHED_VALUES) {
    throw new Refusal(
      'query_too_complex',
      `More than ${MAX_MATCHED_VALUES} values match ${others.map((one) => `“${one}”`).join(', ')}. Use longer values.`,
    );
  }
  return [...new Set([...direct, ...rows.map((row) => row.term)])];
}

/** LIKE patterns, with the lower and upper bound of the values with their prefix. */
function bounded(patterns: readonly string[]): [string[], string[], string[]] {
  const lows = patterns.map((pattern) => pattern.split('*', 1)[0] ?? '');
  // The greatest character; the collation compares bytes.
  return [patterns.map(likePatternOf), lows, lows.map((low) => `${low}\u{10ffff}`)];
}

/** The values of a field with their terms, at most `limit`, in no particular order. Some may have no events anymore. */
export const listFieldValues = (
  database: Database,
  orgId: string,
  field: EventField,
  limit: number,
): Promise<{ value: string; term: number }[]> =>
  database.onceWithOrg<{ value: string; term: number }>(orgId, {
    name: 'events.field-values',
    text: ` select n.value, n.term from tenant cross join lateral (
              select value, term from posting_name n where n.org_id = tenant.org and n.field = $2
              union
              select substr(x.name, strpos(x.name, E'\\n') + 1), x.term
              from posting_pending p cross join lateral unnest(p.names, p.name_terms) as x(name, term)
              where p.org_id = tenant.org and split_part(x.name, E'\\n', 1) = $2
              limit $3 offset 0) n`,
    values: [field, limit],
  });
