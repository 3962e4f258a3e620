import { z } from 'zod';
import { hostCount } from '#providers/host-data.ts';
import type { HostChangedFile } from '#providers/host-evidence.ts';
import type { HostChanges, HostCommit } from '../host-facts.ts';
import { signature, time } from './shapes.ts';

const commit = z.object({
  hash: z.string().min(7),
  message: z.string(),
  date: time,
  author: signature.nullish(),
  committer: signature.nullish(),
  parents: z.array(z.object({ hash: z.string() })).nullish(),
});

const unknownPerson = { name: '', email: '', login: null, avatarUrl: null };

/**
 * Parses a commit of the API or of a push. Bitbucket reports one time, which is used for author and committer. The
 * committer defaults to the author. Throws ZodError for anything else.
 */
export function commitFrom(json: unknown): HostCommit {
  const { hash, message, date, committer, parents, ...found } = commit.parse(json);
  const author = found.author ?? unknownPerson;
  return {
    sha: hash,
    message: message.trimEnd(),
    author,
    authoredAt: date,
    committer: committer ?? author,
    committedAt: date,
    parents: parents?.map((parent) => parent.hash) ?? null,
  };
}

const path = z.object({ path: z.string() }).nullish();
const file = z.object({
  status: z.string(),
  lines_added: hostCount.nullish(),
  lines_removed: hostCount.nullish(),
  old: path,
  new: path,
});

const statuses: Readonly<Record<string, HostChanges['files'][number]['status']>> = {
  added: 'added',
  removed: 'removed',
  renamed: 'renamed',
};

/** Parses changed files with their former paths. Throws ZodError for anything else. */
export const changedFilesFrom = (files: readonly unknown[]): HostChangedFile[] =>
  files.map((json) => {
    const found = file.parse(json);
    const status = statuses[found.status] ?? 'modified';
    return {
      path: found.new?.path ?? found.old?.path ?? '',
      previousPath: status === 'renamed' ? (found.old?.path ?? null) : null,
      status,
    };
  });

/** Parses changed files and computes the totals. Throws ZodError for anything else. */
export function changesFrom(files: readonly unknown[]): HostChanges {
  const changed = files.map((json) => {
    const found = file.parse(json);
    return {
      path: found.new?.path ?? found.old?.path ?? '',
      status: statuses[found.status] ?? ('modified' as const),
      additions: found.lines_added ?? 0,
      deletions: found.lines_removed ?? 0,
    };
  });
  return {
    additions: changed.reduce((sum, { additions }) => sum + additions, 0),
    deletions: changed.reduce((sum, { deletions }) => sum + deletions, 0),
    files: changed,
  };
}
