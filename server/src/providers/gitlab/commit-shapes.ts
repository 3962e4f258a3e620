import { z } from 'zod';
import { hostCount } from '#providers/host-data.ts';
import type { HostChanges, HostCommit, HostPerson, HostUser } from '../host-facts.ts';
import { time } from './shapes.ts';

const text = z.string().nullish();

const commit = z.object({
  id: z.string().min(7),
  message: text,
  title: text,
  parent_ids: z.array(z.string()).nullish(),
  author_name: text,
  author_email: text,
  authored_date: time.nullish(),
  committer_name: text,
  committer_email: text,
  committed_date: time.nullish(),
  created_at: time.nullish(),
});

export type GitlabAccount = Pick<HostUser, 'login' | 'hostId' | 'avatarUrl'>;
/** Accounts of the instance by email address. */
export type Accounts = ReadonlyMap<string, GitlabAccount>;

/** Parses a commit of the REST API, with accounts from `accounts`. Throws ZodError for anything else. */
export function commitFrom(json: unknown, accounts: Accounts = new Map()): HostCommit {
  const found = commit.parse(json);
  const committedAt = found.committed_date ?? found.created_at ?? found.authored_date;
  if (!committedAt) throw new z.ZodError([{ code: 'custom', path: ['committed_date'], message: 'has no time' }]);
  return {
    sha: found.id,
    message: (found.message ?? found.title ?? '').trimEnd(),
    author: personOf(found.author_name, found.author_email, accounts),
    authoredAt: found.authored_date ?? committedAt,
    committer: personOf(found.committer_name, found.committer_email, accounts),
    committedAt,
    parents: found.parent_ids ?? null,
  };
}

const pushed = z.object({
  id: z.string().min(7),
  message: z.string(),
  timestamp: time,
  author: z.object({ name: text, email: text }).nullish(),
  added: z.array(z.string()).nullish(),
  modified: z.array(z.string()).nullish(),
  removed: z.array(z.string()).nullish(),
});

/** Parses a commit of a push: without parents, committer and line counts. Throws ZodError for anything else. */
export function commitFromPush(json: unknown): HostCommit {
  const { id, message, timestamp, author, added, modified, removed } = pushed.parse(json);
  const person = personOf(author?.name, author?.email, new Map());
  const files = (paths: string[] | null | undefined, status: 'added' | 'modified' | 'removed') =>
    (paths ?? []).map((path) => ({ path, status, additions: null, deletions: null }));
  const all = [...files(added, 'added'), ...files(removed, 'removed'), ...files(modified, 'modified')];
  return {
    sha: id,
    message: message.trimEnd(),
    author: person,
    authoredAt: timestamp,
    committer: person,
    committedAt: timestamp,
    parents: null,
    changes: { additions: null, deletions: null, files: all },
  };
}

const personOf = (
  name: string | null | undefined,
  email: string | null | undefined,
  accounts: Accounts,
): HostPerson => {
  const account = accounts.get((email ?? '').toLowerCase());
  return {
    name: name ?? '',
    email: email ?? '',
    login: account?.login ?? null,
    avatarUrl: account?.avatarUrl ?? null,
    ...(account?.hostId !== undefined && { hostId: account.hostId }),
  };
};

const stats = z.object({ stats: z.object({ additions: hostCount, deletions: hostCount }).nullish() });

const diff = z.object({
  diff: text,
  new_path: z.string(),
  old_path: z.string(),
  new_file: z.boolean().nullish(),
  renamed_file: z.boolean().nullish(),
  deleted_file: z.boolean().nullish(),
  collapsed: z.boolean().nullish(),
  too_large: z.boolean().nullish(),
});

/** Parses the changes of the files of a commit. The totals are null if the lines of a file are unknown. */
export function changesOfFiles(diffs: readonly unknown[]): HostChanges {
  const files = diffs.map((json): HostChanges['files'][number] => {
    const file = diff.parse(json);
    const status = file.new_file
      ? 'added'
      : file.deleted_file
        ? 'removed'
        : file.renamed_file
          ? 'renamed'
          : ('modified' as const);
    return { path: status === 'removed' ? file.old_path : file.new_path, status, ...linesIn(file) };
  });
  const sum = (lines: 'additions' | 'deletions') =>
    files.reduce<number | null>((all, file) => (all === null || file[lines] === null ? null : all + file[lines]), 0);
  return { additions: sum('additions'), deletions: sum('deletions'), files };
}

/** The same with the totals of a commit. */
export function changesWithTotals(commitJson: unknown, { additions, deletions, files }: HostChanges): HostChanges {
  const sums = stats.parse(commitJson).stats;
  return { additions: sums?.additions ?? additions, deletions: sums?.deletions ?? deletions, files };
}

// A diff beyond the limits of GitLab is empty, so that its line counts are unknown.
function linesIn(file: z.output<typeof diff>): { additions: number | null; deletions: number | null } {
  if (file.collapsed || file.too_large) return { additions: null, deletions: null };
  const [from, body] = [file.diff?.search(/^@@/m) ?? -1, file.diff ?? ''];
  const lines = from < 0 ? [] : body.slice(from).split('\n');
  return {
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
  };
}
