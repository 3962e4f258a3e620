import { storedIdentMark } from '#core/event-text.ts';
import type { Database } from '#database/database.ts';
import type { ResolveCandidates } from '../archive/evaluate.ts';
import { type BindPostgres, conditionSql } from '../store/tests.ts';

/** Tests archived events by facts of other tables, such as the newest change record of their pull request. */
export const resolveByTables =
  (database: Database, orgId: string): ResolveCandidates =>
  async (condition, candidates) => {
    if (candidates.length === 0) return [];
    const values: unknown[] = [
      candidates.map(({ id }) => id),
      candidates.map(({ repo }) => repo),
      candidates.map(({ pr }) => pr),
      candidates.map(({ sha }) => (sha === null ? '' : `${storedIdentMark}${sha}`)),
    ];
    const bind: BindPostgres = (value, type) => `$${values.push(value) + 1}::${type}`;
    const text = ` select t.place from tenant cross join lateral (
        select e.place::int from unnest($2::uuid[], $3::uuid[], $4::int[], $5::text[]) with ordinality as e(id, repo, pr, summary, place)
        where ${conditionSql(condition, 'e', bind)} offset 0) t`;
    const rows = await database.boundedWithOrg<{ place: number }>(orgId, { name: '', text, values });
    const matching = new Set(rows.map(({ place }) => place - 1));
    return candidates.map((_, place) => matching.has(place));
  };
