import { execFileSync } from 'node:child_process';
import { period } from '@sightline/evidence/bundle/testing/scene.ts';

/** When the merge of a pull request happened, in seconds: every 1000 seconds of the period of the test bundles. */
export const mergedAtSeconds = (number: number): number => Date.parse(period.from) / 1000 + 43_200 + number * 1000;

/**
 * Writes a bare git repository with merge commits of pull requests, numbered from 1, after a commit before the period.
 * Returns the merge commits in order.
 */
export function writeMergeHistory(folder: string, merges: number, owner = 'sandbox'): string[] {
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', folder]);
  const commit = (lines: { mark: number; at: number; message: string; parents?: number[]; text: string }): string =>
    [
      'commit refs/heads/main',
      `mark :${lines.mark}`,
      `author Ada <ada@example.org> ${lines.at} +0000`,
      `committer Ada <ada@example.org> ${lines.at} +0000`,
      `data ${lines.message.length}\n${lines.message}`,
      ...(lines.parents ?? []).map((parent, index) => `${index === 0 ? 'from' : 'merge'} :${parent}`),
      `M 100644 inline file.txt\ndata ${lines.text.length}\n${lines.text}`,
      '',
    ].join('\n');
  const before = mergedAtSeconds(0) - 40 * 86_400;
  const commits = [commit({ mark: 1, at: before, message: 'Begin', text: '0' })];
  for (let number = 1, last = 1; number <= merges; number += 1) {
    const at = mergedAtSeconds(number);
    const text = String(number);
    const side = 2 * number;
    commits.push(
      commit({ mark: side, at: at - 600, message: `Work on ${number}`, parents: [last], text }),
      commit({
        mark: side + 1,
        at,
        message: `Merge pull request #${number} from ${owner}/branch-${number}\n\nChange ${number}`,
        parents: [last, side],
        text,
      }),
    );
    last = side + 1;
  }
  execFileSync('git', ['-C', folder, 'fast-import', '--quiet', '--force'], { input: `${commits.join('\n')}\ndone\n` });
  return execFileSync('git', ['-C', folder, 'rev-list', '--first-parent', '--reverse', 'main'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .slice(1);
}
