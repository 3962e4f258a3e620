import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '../git/command.ts';
import type { RepositoryScenario } from './repository-scenario.ts';

/**
 * Writes a repository scenario to a new bare repository at `path`, with the default branch before all changes. `owner`: its account.
 * Returns the SHA of each commit by number. The commits have the seconds after `at` (epoch milliseconds) as dates.
 */
export const writeRepositoryScenario = async (
  path: string,
  owner: string,
  repositoryScenario: RepositoryScenario,
  at: number,
): Promise<Map<number, string>> => {
  await mkdir(path, { recursive: true });
  await git(path, ['init', '--quiet', '--bare', '--initial-branch=main']);
  await git(path, ['remote', 'add', 'origin', `https://host.example/${owner}/repository.git`]);
  const marks = join(path, 'marks');
  await git(
    path,
    ['fast-import', '--quiet', `--export-marks=${marks}`],
    streamOf(repositoryScenario, Math.floor(at / 1000)),
  );
  const lines = (await readFile(marks, 'utf8')).trim().split('\n');
  return new Map(lines.map((line) => [Number(line.slice(1, line.indexOf(' '))), line.slice(line.indexOf(' ') + 1)]));
};

const streamOf = ({ drafts, changes, root }: RepositoryScenario, seconds: number): string => {
  const commits = drafts.map(({ mark, parents, author, committer, message, files, backdatedDays = 0 }) => {
    const [from, ...merged] = parents;
    const when = `${seconds + mark - backdatedDays * 86_400} +0000`;
    return [
      // Refs outside of branches, so that the commits do not appear as activity.
      'commit refs/planted/work',
      `mark :${mark}`,
      `author ${author.name} <${author.email}> ${when}`,
      `committer ${committer.name} <${committer.email}> ${when}`,
      data(message),
      ...(from === undefined ? [] : [`from :${from}`]),
      ...merged.map((parent) => `merge :${parent}`),
      ...files.flatMap((file) => [`M 100644 inline changes/${file}.txt`, data(`What change ${file} says.\n`)]),
      '',
    ].join('\n');
  });
  const heads = changes.flatMap((change) =>
    change.kind === 'merge' ? [`reset refs/pull/${change.number}/head\nfrom :${change.commits.at(-1)}\n`] : [],
  );
  // Commits discarded by a force push must not be garbage-collected before it.
  const tips = changes.map((change, index) => `reset refs/planted/${index}\nfrom :${lastOf(change)}\n`);
  return [...commits, `reset refs/heads/main\nfrom :${root}\n`, ...heads, ...tips, 'done\n'].join('\n');
};

const lastOf = (change: RepositoryScenario['changes'][number]): number | undefined =>
  (change.kind === 'merge' ? change.landed : change.commits).at(-1);

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}`;
