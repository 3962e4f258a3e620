import { git } from './command.ts';

/** Lines of a file from one commit; they count from 1. */
export type BlameRange = { sha: string; from: number; to: number };

/** Returns the commit of each line of a file at a commit. Throws if the file does not exist. */
export const readBlame = async (cwd: string, commit: string, path: string): Promise<BlameRange[]> => {
  const output = (await git(cwd, ['blame', '--porcelain', commit, '--', path])).toString();
  const ranges: BlameRange[] = [];
  // Each line is preceded by "<sha> <original line> <current line> [<lines of the group>]".
  for (const [, sha = '', at = ''] of output.matchAll(/^([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?$/gm)) {
    const line = Number(at);
    const last = ranges.at(-1);
    if (last?.sha === sha && last.to === line - 1) last.to = line;
    else ranges.push({ sha, from: line, to: line });
  }
  return ranges;
};
