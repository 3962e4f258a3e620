import type { Span } from './ast.ts';

/** Why a query is invalid: the error, its position, and the expected input. */
export interface QueryProblem extends Span {
  code: 'query_invalid' | 'query_too_complex';
  message: string;
  /** Descriptions or insertable text: 'a value', 'severity:'. */
  expected: readonly string[];
}

export class QueryError extends Error {
  override name = 'QueryError';
  readonly problem: QueryProblem;
  constructor(problem: QueryProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

export function throwQueryError(
  { start, end }: Span,
  message: string,
  expected: readonly string[] = [],
  code: QueryProblem['code'] = 'query_invalid',
): never {
  throw new QueryError({ code, message, start, end, expected });
}

/** Returns the most similar word for 'did you mean'; undefined if none is similar. */
export function nearestWord(word: string, words: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const near = words
    .map((candidate) => ({ candidate, distance: distanceOf(lower, candidate) }))
    .filter(
      ({ candidate, distance }) => distance <= Math.max(1, Math.floor(Math.min(candidate.length, lower.length) / 3)),
    )
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.candidate;
}

/** Edit distance: insertions, deletions, substitutions and transpositions. */
function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1];
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        (row[j - 1] ?? 0) + 1,
        (last[j] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = row;
  }
  return last[other.length] ?? 0;
}
