import { z } from 'zod';
import { hostCount } from '#providers/host-data.ts';
import type { HostChanges, HostCommit } from '../host-facts.ts';
import { signatureKeyOf } from '../signature-key.ts';
import { hostPersonOf, maybeAccount, time } from './shapes.ts';

const signature = z.object({ name: z.string().nullish(), email: z.string().nullish(), date: time.nullish() }).nullish();

const file = z.object({
  filename: z.string(),
  status: z.string(),
  additions: hostCount.nullish(),
  deletions: hostCount.nullish(),
});

const apiCommit = z
  .object({
    sha: z.string().min(7),
    commit: z.object({
      author: signature,
      committer: signature,
      message: z.string(),
      verification: z.object({ verified: z.boolean(), signature: z.string().nullish() }).nullish(),
    }),
    author: maybeAccount,
    committer: maybeAccount,
    parents: z.array(z.object({ sha: z.string() })),
    stats: z.object({ additions: hostCount.nullish(), deletions: hostCount.nullish() }).nullish(),
    files: z.array(file).nullish(),
  })
  .refine(({ commit }) => commit.committer?.date || commit.author?.date, { error: 'has no time', path: ['commit'] });

/** Parses a commit of the REST API, with changes if it contains files. Throws ZodError for anything else. */
export function commitFromApi(json: unknown): HostCommit {
  const { sha, commit, author, committer, parents, stats, files } = apiCommit.parse(json);
  const signingKey = signatureKeyOf(commit.verification?.signature ?? '');
  const committedAt = commit.committer?.date ?? commit.author?.date ?? '';
  return {
    sha,
    message: commit.message,
    author: hostPersonOf(commit.author, author),
    authoredAt: commit.author?.date ?? committedAt,
    committer: hostPersonOf(commit.committer, committer),
    committedAt,
    parents: parents.map((parent) => parent.sha),
    ...(commit.verification?.verified && { isSignatureVerified: true as const }),
    ...(signingKey !== undefined && { signingKey }),
    ...(files && { changes: changesOf(stats, files) }),
  };
}

const statuses: Readonly<Record<string, HostChanges['files'][number]['status']>> = {
  added: 'added',
  copied: 'added',
  removed: 'removed',
  renamed: 'renamed',
};

const changesOf = (
  stats: z.output<typeof apiCommit>['stats'],
  files: readonly z.output<typeof file>[],
): HostChanges => ({
  additions: stats?.additions ?? null,
  deletions: stats?.deletions ?? null,
  files: files
    .filter(({ status }) => status !== 'unchanged')
    .map(({ filename, status, additions, deletions }) => ({
      path: filename,
      status: statuses[status] ?? 'modified',
      additions: additions ?? null,
      deletions: deletions ?? null,
    })),
});

const pusher = z
  .object({
    name: z.string().nullish(),
    email: z.string().nullish(),
    username: z.string().nullish(),
    date: time.nullish(),
  })
  .nullish();

const accountOf = (found: z.output<typeof pusher>) => (found?.username ? { login: found.username } : null);

const pushedCommit = z.object({
  id: z.string().min(7),
  message: z.string(),
  timestamp: time,
  author: pusher,
  committer: pusher,
  added: z.array(z.string()).default([]),
  removed: z.array(z.string()).default([]),
  modified: z.array(z.string()).default([]),
});

/** Parses a commit of a push: without parents and line counts. Throws ZodError for anything else. */
export function commitFromPush(json: unknown): HostCommit {
  const { id, message, timestamp, author, committer, added, removed, modified } = pushedCommit.parse(json);
  const files = (paths: string[], status: 'added' | 'removed' | 'modified') =>
    paths.map((path) => ({ path, status, additions: null, deletions: null }));
  return {
    sha: id,
    message,
    author: hostPersonOf(author, accountOf(author)),
    authoredAt: author?.date ?? timestamp,
    committer: hostPersonOf(committer ?? author, accountOf(committer ?? author)),
    committedAt: committer?.date ?? timestamp,
    parents: null,
    changes: {
      additions: null,
      deletions: null,
      files: [...files(added, 'added'), ...files(removed, 'removed'), ...files(modified, 'modified')],
    },
  };
}
