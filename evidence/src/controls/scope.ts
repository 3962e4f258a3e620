import type { Parameter } from './parameters.ts';

/** The parameter of every control about branches. */
export const branches = {
  kind: 'patterns',
  title: 'Additional branches in scope',
  default: [],
  stricter: 'more',
} as const satisfies Parameter;

/** Whether rules that name branches hold for a branch: the default one always, others where a pattern matches. */
export const isInScope = (row: { branch: string; isDefaultBranch: boolean }, patterns: readonly string[]): boolean =>
  row.isDefaultBranch || patterns.some((pattern) => matches(pattern, row.branch));

/**
 * Whether a whole name fits a pattern: `*` stands for any characters but a slash, `**` for any at all. Takes at most as many
 * steps as both are long multiplied, whatever the pattern: an expression made of it could be made to take for ever.
 */
export function matches(pattern: string, name: string): boolean {
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
