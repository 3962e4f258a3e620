import { Refusal } from '#core/errors.ts';
import type { Database } from '#database/database.ts';
import { likeOf } from '#database/page.ts';
import { termOfPattern } from '../fields.ts';
import type { Field } from '../new-event.ts';

/** More than this many values under one pattern would cost more than the pattern says. */
const most = 1000;

/** The terms of the values, or words, that match one of some patterns, whose asterisks stand for anything; in lower case. */
export async function termsNamed(
  database: Database,
  orgId: string,
  field: Field | 'word',
  patterns: readonly string[],
): Promise<number[]> {
  const direct = patterns.flatMap((pattern) => (field === 'word' ? [] : (termOfPattern(field, pattern) ?? [])));
  const others = patterns.filter((pattern) => field === 'word' || termOfPattern(field, pattern) === undefined);
  if (others.length === 0) return direct;
  const rows = await database.onceWithOrg<{ term: number }>(orgId, {
    name: 'events.names',
    // The new ones among what waits for its lists are there too.
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
    values: [field, ...bounded(others), most + 1],
  });
  if (rows.length > most) {
    throw new Refusal(
      'query_too_complex',
      `More than ${most} values match ${others.map((one) => `“${one}”`).join(', ')}. Use longer values.`,
    );
  }
  return [...new Set([...direct, ...rows.map((row) => row.term)])];
}

/** Patterns as LIKE reads them, and between which values what they begin with lies. */
function bounded(patterns: readonly string[]): [string[], string[], string[]] {
  const lows = patterns.map((pattern) => pattern.split('*', 1)[0] ?? '');
  // No character is greater; in this collation values are compared by their bytes.
  return [patterns.map(likeOf), lows, lows.map((low) => `${low}\u{10ffff}`)];
}
