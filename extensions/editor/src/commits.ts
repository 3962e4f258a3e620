import type { Disposable } from 'vscode';
import { eachRepository, type Git, type GitRepository, headLogOf, remoteOfRepository } from './git.ts';
import { createHeadLog } from './head-log.ts';
import type { RecordEvent } from './recorder.ts';
import type { LocalCommit } from './reflog.ts';
import { settings } from './settings.ts';

// The empty tree, which exists in every repository. The first commit is compared with it.
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * Records commits in the open repositories, made by the editor, in a terminal or by any other program. `onDidCommit` of
 * VS Code reports its own commits only, so HEAD is compared on every change of the git state.
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
      .then((made = []) => Promise.all(made.map((each) => recordCommit(repository, each, branch, record))))
      // The next change reads an unreadable log again from the same position.
      .catch(() => undefined);
  });
}

async function recordCommit(
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
