import { z } from 'zod';
import type { HostChangedFile, HostFileDifference } from '#providers/host-evidence.ts';
import type { HostChanges, HostCommit, HostUser } from '../host-facts.ts';
import { maybeTime, maybeUser, personOf, time } from './shapes.ts';

const signature = z.object({ name: z.string().nullish(), email: z.string().nullish(), date: maybeTime }).nullish();

const commit = z
  .object({
    commitId: z.string().min(7),
    author: signature,
    committer: signature,
    comment: z.string().nullish(),
    commentTruncated: z.boolean().nullish(),
    parents: z.array(z.string()).nullish(),
    treeId: z.string().nullish(),
    push: z.object({ pushId: z.number().int() }).nullish(),
  })
  .refine(({ committer, author }) => committer?.date || author?.date, { error: 'has no time', path: ['committer'] });

export type AzureDevopsCommit = z.output<typeof commit>;
export const readCommit = (json: unknown): AzureDevopsCommit => commit.parse(json);

/** The accounts by email address in lower case. */
type Accounts = ReadonlyMap<string, HostUser>;

/** Lists contain neither parents nor more than the start of a long message. */
export const isShortened = ({ commentTruncated }: AzureDevopsCommit): boolean => commentTruncated === true;

export function commitFrom(found: AzureDevopsCommit, accounts: Accounts): HostCommit {
  const { commitId: sha, author, committer, comment, parents } = found;
  const committedAt = committer?.date ?? author?.date ?? '';
  const accountOf = (email: string | null | undefined) => accounts.get(email?.toLowerCase() ?? '');
  return {
    sha,
    message: (comment ?? '').trimEnd(),
    author: personOf(author, accountOf(author?.email)),
    authoredAt: author?.date ?? committedAt,
    committer: personOf(committer, accountOf(committer?.email)),
    committedAt,
    parents: parents ?? null,
  };
}

const change = z.object({
  item: z
    .object({
      objectId: z.string().nullish(),
      originalObjectId: z.string().nullish(),
      gitObjectType: z.string().nullish(),
      path: z.string().nullish(),
      isFolder: z.boolean().nullish(),
    })
    .nullish(),
  changeType: z.string(),
  /** The path before a rename: of commits and comparisons, and of iterations. */
  sourceServerItem: z.string().nullish(),
  originalPath: z.string().nullish(),
});

/**
 * Parses the changed files of a commit, of a comparison or of an iteration, without folders. A rename is one of them at
 * its new path; its former path has a change of its own, which is omitted.
 */
export const differencesFrom = (changes: readonly unknown[]): HostFileDifference[] =>
  changes
    .map((json) => change.parse(json))
    .filter(({ item, changeType }) => {
      const isFolder = item?.isFolder === true || item?.gitObjectType === 'tree';
      return !isFolder && !/sourceRename/i.test(changeType);
    })
    .map(({ item, changeType, sourceServerItem, originalPath }): HostFileDifference => {
      const status = statusOf(changeType);
      const previous = sourceServerItem ?? originalPath;
      const blob = (status === 'removed' ? (item?.originalObjectId ?? item?.objectId) : item?.objectId) ?? null;
      return {
        path: pathFrom(item?.path ?? previous),
        previousPath: status === 'renamed' && previous ? pathFrom(previous) : null,
        status,
        blob,
        // The API compares without hunks. A file that was only moved has none.
        patch: status === 'renamed' && !/edit/i.test(changeType) ? '' : null,
      };
    });

export const changedFileFrom = ({ path, previousPath, status }: HostFileDifference): HostChangedFile => ({
  path,
  previousPath,
  status,
});

/** The API counts no lines. */
export const changesFrom = (changes: readonly unknown[]): HostChanges => ({
  additions: null,
  deletions: null,
  files: differencesFrom(changes).map(({ path, status }) => ({ path, status, additions: null, deletions: null })),
});

const pathFrom = (path: string | null | undefined): string => (path ?? '').replace(/^\//, '');

/** The kinds of a change are joined, such as `edit, rename`. */
function statusOf(changeType: string): HostFileDifference['status'] {
  const kinds = changeType.toLowerCase().split(/,\s*/);
  if (kinds.includes('delete')) return 'removed';
  if (kinds.includes('rename')) return 'renamed';
  return kinds.some((kind) => kind === 'add' || kind === 'undelete' || kind === 'branch') ? 'added' : 'modified';
}

const push = z.object({
  pushId: z.number().int(),
  date: time,
  pushedBy: maybeUser,
  refUpdates: z.array(z.object({ name: z.string(), oldObjectId: z.string(), newObjectId: z.string() })).nullish(),
});

export const readPush = (json: unknown) => push.parse(json);

export const shaOrNull = (id: string): string | null => (/^0*$/.test(id) ? null : id);
