/** A commit made in this clone, according to the reflog of HEAD. */
export interface LocalCommit {
  sha: string;
  /** The previous commit of HEAD; undefined for the first commit of a repository. */
  parent: string | undefined;
  /** Milliseconds. */
  at: number;
}

/**
 * Returns the commits made in this clone from lines of `.git/logs/HEAD`. The log distinguishes them from commits by
 * pull, checkout, reset or rebase, for any author and git client.
 */
export const localCommitsInLog = (lines: string): LocalCommit[] =>
  lines.split('\n').flatMap((line) => localCommitsIn(line));

const nullSha = /^0+$/;
const entry = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) .*> (\d{1,12}) [+-]\d{4}\t(.*)$/;
// `merge x: Fast-forward` and `pull: …` only receive commits of others.
const localCommitAction = /^(commit( \([a-z]+\))?|cherry-pick|revert): |^merge .*: Merge made by/;

function localCommitsIn(line: string): LocalCommit[] {
  const [, before, sha, seconds, what = ''] = entry.exec(line) ?? [];
  if (before === undefined || sha === undefined || !localCommitAction.test(what)) return [];
  return [{ sha, parent: nullSha.test(before) ? undefined : before, at: Number(seconds) * 1000 }];
}
