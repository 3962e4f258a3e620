import type { Disposable } from 'vscode';
import { eachRepository, type Git, type GitRepository, headLogOf, remoteOfRepository } from './git.ts';
import { createHeadLog } from './head-log.ts';
import type { RecordEvent } from './recorder.ts';
import type { LocalCommit } from './reflog.ts';
import { settings } from './settings.ts';

// The tree without a file, which every git knows: what the first commit of a repository is compared with.
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * Records the commits made in the open repositories, by the editor, in a terminal or by any other program. VS Code's
 * `onDidCommit` tells of its own only, so HEAD is compared whenever git's state changes.
 */
export const watchCommits = (git: Git, record: RecordEvent): Disposable =>
  eachRepository(git, (repository) => watch(repository, record));

function watch(repository: GitRepository, record: RecordEvent): Disposable {
  let head = repository.state.HEAD?.commit;
  const log = headLogOf(repository).then((path) => (path === undefined ? undefined : createHeadLog(path)));
  void log.then((opened) => opened?.look());
  return repository.state.onDidChange(() => {
    if (repository.state.HEAD?.commit === head) return;
    head = repository.state.HEAD?.commit;
    const branch = repository.state.HEAD?.name;
    void log
      .then((opened) => opened?.look())
      .then((made = []) => Promise.all(made.map((each) => tell(repository, each, branch, record))))
      // A log that cannot be read now is read from the same place with the next change.
      .catch(() => undefined);
  });
}

async function tell(
  repository: GitRepository,
  { sha, parent, at }: LocalCommit,
  branch: string | undefined,
  record: RecordEvent,
) {
  if (settings.excludes(repository.rootUri.fsPath)) return;
  const files = await repository.diffBetween(parent ?? emptyTree, sha).then(
    (changes) => changes.length,
    () => undefined,
  );
  const remote = remoteOfRepository(repository);
  await record('commit', { once: sha, at, identifiers: { sha, branch, repository: remote, files } });
}
