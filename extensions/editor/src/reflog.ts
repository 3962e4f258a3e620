/** A commit somebody made in this clone, as git's own log of HEAD tells. */
export interface LocalCommit {
  sha: string;
  /** The commit HEAD was on before; undefined for the first of a repository. */
  parent: string | undefined;
  /** Milliseconds. */
  at: number;
}

/**
 * The commits that were made here, among lines of `.git/logs/HEAD`. That log says what moved HEAD, so that commits are told
 * apart from what came by pull, checkout, reset or rebase, whoever wrote them and whichever program ran git.
 */
export const madeIn = (lines: string): LocalCommit[] => lines.split('\n').flatMap((line) => madeBy(line));

const nothing = /^0+$/;
const entry = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) .*> (\d{1,12}) [+-]\d{4}\t(.*)$/;
// `merge x: Fast-forward` and `pull: …` bring what others made.
const making = /^(commit( \([a-z]+\))?|cherry-pick|revert): |^merge .*: Merge made by/;

function madeBy(line: string): LocalCommit[] {
  const [, before, sha, seconds, what = ''] = entry.exec(line) ?? [];
  if (before === undefined || sha === undefined || !making.test(what)) return [];
  return [{ sha, parent: nothing.test(before) ? undefined : before, at: Number(seconds) * 1000 }];
}
