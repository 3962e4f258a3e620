import { z } from 'zod';
import { hostCount } from '#providers/host-data.ts';
import type { HostChanges, HostCommit } from '../host-facts.ts';
import { signatureKeyOf } from '../signature-key.ts';
import { maybeTime, maybeUser, personOf, time } from './shapes.ts';

const signature = z.object({ name: z.string().nullish(), email: z.string().nullish(), date: maybeTime }).nullish();
const verification = z.object({ verified: z.boolean(), signature: z.string().nullish() }).nullish();

const commit = z
  .object({
    sha: z.string().min(7),
    commit: z.object({ author: signature, committer: signature, message: z.string(), verification }),
    author: maybeUser,
    committer: maybeUser,
    parents: z.array(z.object({ sha: z.string() })).nullish(),
    stats: z.object({ additions: hostCount.nullish(), deletions: hostCount.nullish() }).nullish(),
    files: z.array(z.object({ filename: z.string(), status: z.string() })).nullish(),
  })
  .refine(({ commit: { committer, author } }) => committer?.date || author?.date, {
    error: 'has no time',
    path: ['commit'],
  });

/** Parses a commit of the API, with its changes if it contains files. Throws ZodError for anything else. */
export function commitFrom(json: unknown): HostCommit {
  const { sha, commit: git, author, committer, parents, stats, files } = commit.parse(json);
  const signingKey = signatureKeyOf(git.verification?.signature ?? '');
  const committedAt = git.committer?.date ?? git.author?.date ?? '';
  return {
    sha,
    message: git.message.trimEnd(),
    author: personOf(git.author, author),
    authoredAt: git.author?.date ?? committedAt,
    committer: personOf(git.committer, committer),
    committedAt,
    parents: (parents ?? []).map((parent) => parent.sha),
    ...(git.verification?.verified && { isSignatureVerified: true as const }),
    ...(signingKey !== undefined && { signingKey }),
    ...(files && { changes: changesOf(stats, files) }),
  };
}

/** The files of a commit have no line counts, only the whole commit has. */
const changesOf = (
  stats: z.output<typeof commit>['stats'],
  files: NonNullable<z.output<typeof commit>['files']>,
): HostChanges => ({
  additions: stats?.additions ?? null,
  deletions: stats?.deletions ?? null,
  files: files.map(({ filename: path, status }) => ({
    path,
    status: statusOf(status),
    additions: null,
    deletions: null,
  })),
});

export const statusOf = (status: string): 'added' | 'modified' | 'removed' | 'renamed' =>
  status === 'added' || status === 'copied'
    ? 'added'
    : status === 'removed' || status === 'deleted'
      ? 'removed'
      : status === 'renamed'
        ? 'renamed'
        : 'modified';

const payloadUser = z.object({
  name: z.string().nullish(),
  email: z.string().nullish(),
  username: z.string().nullish(),
});
const pushed = z.object({
  id: z.string().min(7),
  message: z.string(),
  timestamp: time,
  author: payloadUser.nullish(),
  committer: payloadUser.nullish(),
  verification,
  added: z.array(z.string()).nullish(),
  removed: z.array(z.string()).nullish(),
  modified: z.array(z.string()).nullish(),
});

/** Parses a commit of a push: without parents and line counts. Throws ZodError for anything else. */
export function commitFromPush(json: unknown): HostCommit {
  const { id, message, timestamp, author, committer, added, removed, modified } = pushed.parse(json);
  const files = (paths: string[] | null | undefined, status: 'added' | 'modified' | 'removed') =>
    (paths ?? []).map((path) => ({ path, status, additions: null, deletions: null }));
  const personFrom = (found: z.output<typeof payloadUser> | null | undefined) =>
    personOf(found, found?.username ? { login: found.username, avatarUrl: null, isAgent: false } : null);
  return {
    sha: id,
    message: message.trimEnd(),
    author: personFrom(author),
    authoredAt: timestamp,
    committer: personFrom(committer ?? author),
    committedAt: timestamp,
    parents: null,
    changes: {
      additions: null,
      deletions: null,
      files: [...files(added, 'added'), ...files(removed, 'removed'), ...files(modified, 'modified')],
    },
  };
}
