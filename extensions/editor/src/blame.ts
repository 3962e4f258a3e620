/** A commit that last changed some lines, as printed by `git blame`. */
export interface BlamedCommit {
  /** Abbreviated, as printed by git. */
  sha: string;
  author: string;
  /** `2026-01-31 12:00:00 +0100` */
  when: string;
}

const line = /^\^?([0-9a-f]{7,64}) .*?\((.*?) +(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}) +(\d+)\) /;

/**
 * Returns the commits of a line range, newest first, without duplicates. Lines count from 1, both ends inclusive.
 * Uncommitted lines are ignored.
 */
export function commitsOfLines(blame: string, first: number, last: number): BlamedCommit[] {
  const found = new Map<string, BlamedCommit>();
  for (const text of blame.split('\n')) {
    const [, sha, author, when, number] = line.exec(text) ?? [];
    if (sha === undefined || author === undefined || when === undefined) continue;
    if (Number(number) < first || Number(number) > last || /^0+$/.test(sha)) continue;
    found.set(sha, { sha, author: author.trim(), when });
  }
  return [...found.values()].sort((one, other) => timeOf(other) - timeOf(one));
}

const timeOf = ({ when }: BlamedCommit) => Date.parse(when.replace(' ', 'T').replace(/ ([+-]\d\d)(\d\d)$/, '$1:$2'));
