import { z } from 'zod';
import { hostCount, hostTime } from '#providers/host-data.ts';
import type { HostChangedFile } from '#providers/host-evidence.ts';
import type { HostChanges, HostCommit, HostPerson } from '../host-facts.ts';
import { type GerritUser, time } from './shapes.ts';

const signature = z.object({ name: z.string().nullish(), email: z.string().nullish(), date: time });

const commit = z.object({
  // Absent in a revision, whose key is the name of the commit.
  commit: z.string().nullish(),
  parents: z.array(z.object({ commit: z.string() })).nullish(),
  author: signature,
  committer: signature,
  message: z.string(),
});

/** Accounts by their address in lower case. */
export type AccountsByEmail = ReadonlyMap<string, GerritUser>;

/** The host does not tell the accounts of authors and committers. One of `accounts` has their address. */
function personOf(
  { name, email }: { name?: string | null | undefined; email?: string | null | undefined },
  accounts?: AccountsByEmail,
): HostPerson {
  const account = accounts?.get(email?.toLowerCase() ?? '');
  return {
    name: name ?? '',
    email: email ?? '',
    login: account?.login ?? null,
    ...(account?.hostId !== undefined && { hostId: account.hostId }),
    avatarUrl: account?.avatarUrl ?? null,
  };
}

/**
 * Parses a commit of the API (`CommitInfo`). `sha`: its name if the response does not contain it. `accounts`: those
 * that its author and committer may have.
 */
export function commitFrom(json: unknown, sha?: string, accounts?: AccountsByEmail): HostCommit {
  const found = commit.parse(json);
  return {
    sha: found.commit ?? sha ?? '',
    message: found.message.trimEnd(),
    author: personOf(found.author, accounts),
    authoredAt: found.author.date,
    committer: personOf(found.committer, accounts),
    committedAt: found.committer.date,
    parents: (found.parents ?? []).map((parent) => parent.commit),
  };
}

/** `Tue Apr 24 18:08:08 2012 -0700`. */
const logTime = z
  .string()
  .transform((text) => text.replace(/^\w{3} (\w{3}) +(\d+) (\d\d:\d\d:\d\d) (\d+)( [+-]\d{4})?$/, '$2 $1 $4 $3$5'))
  .pipe(hostTime);

const logSignature = z.object({ name: z.string().nullish(), email: z.string().nullish(), time: logTime });

const logged = z.object({
  commit: z.string().min(7),
  parents: z.array(z.string()).nullish(),
  author: logSignature,
  committer: logSignature,
  message: z.string(),
});

/** Parses a commit of a history of Gitiles. Throws ZodError for anything else. */
export function commitFromLog(json: unknown): HostCommit {
  const found = logged.parse(json);
  return {
    sha: found.commit,
    message: found.message.trimEnd(),
    author: personOf(found.author),
    authoredAt: found.author.time,
    committer: personOf(found.committer),
    committedAt: found.committer.time,
    parents: found.parents ?? [],
  };
}

const files = z.record(
  z.string(),
  z.object({
    status: z.string().nullish(),
    old_path: z.string().nullish(),
    lines_inserted: hostCount.nullish(),
    lines_deleted: hostCount.nullish(),
    binary: z.boolean().nullish(),
  }),
);

// The host lists texts of the change itself beside the files of the commit.
const magic = new Set(['/COMMIT_MSG', '/MERGE_LIST', '/PATCHSET_LEVEL']);

const filesOf = (json: unknown) => Object.entries(files.parse(json ?? {})).filter(([path]) => !magic.has(path));

const statusOf = (status: string | null | undefined): HostChangedFile['status'] =>
  status === 'A' || status === 'C' ? 'added' : status === 'D' ? 'removed' : status === 'R' ? 'renamed' : 'modified';

/** Parses the files of a commit or a revision with their lines. */
export function changesFrom(json: unknown): HostChanges {
  const found = filesOf(json).map(([path, { status, lines_inserted: added, lines_deleted: deleted, binary }]) => ({
    path,
    status: statusOf(status),
    additions: binary ? null : (added ?? 0),
    deletions: binary ? null : (deleted ?? 0),
  }));
  const sum = (field: 'additions' | 'deletions'): number => found.reduce((all, file) => all + (file[field] ?? 0), 0);
  return { additions: sum('additions'), deletions: sum('deletions'), files: found };
}

/** Parses the files of a revision with their former paths. */
export const changedFilesFrom = (json: unknown): HostChangedFile[] =>
  filesOf(json).map(([path, { status, old_path: oldPath }]) => ({
    path,
    previousPath: status === 'R' ? (oldPath ?? null) : null,
    status: statusOf(status),
  }));
