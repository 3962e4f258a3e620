import type { Parameter } from './parameters.ts';

/** The branch scope parameter of all controls about branches. */
export const branches = {
  kind: 'patterns',
  title: 'Additional branches in scope',
  default: [],
  stricter: 'more',
} as const satisfies Parameter;

/** Whether a branch is in scope: always the default branch, others if a pattern matches. */
export const isInScope = (row: { branch: string; isDefaultBranch: boolean }, patterns: readonly string[]): boolean =>
  row.isDefaultBranch || patterns.some((pattern) => matchesPattern(pattern, row.branch));

/** The exclusion of a row by the branch scope: empty for a row in scope. */
export const scopeExclusionOf = (
  row: { branch: string; isDefaultBranch: boolean },
  patterns: readonly string[],
): readonly 'branches'[] => (isInScope(row, patterns) ? [] : ['branches']);

/**
 * Whether a name matches a pattern completely: `*` matches any characters except a slash, `**` any characters. The
 * number of steps is at most the product of both lengths, unlike with a regular expression.
 */
export function matchesPattern(pattern: string, name: string): boolean {
  const parts = pattern.match(/\*\*|./gsu) ?? [];
  const letters = [...name];
  let reached = letters.map(() => false);
  reached.unshift(true);
  for (const part of parts) {
    const next = reached.map(() => false);
    const isStar = part === '*' || part === '**';
    next[0] = isStar && reached[0] === true;
    for (const [at, letter] of letters.entries()) {
      if (!isStar) next[at + 1] = reached[at] === true && letter === part;
      else next[at + 1] = reached[at + 1] === true || (next[at] === true && (part === '**' || letter !== '/'));
    }
    reached = next;
  }
  return reached[letters.length] === true;
}
