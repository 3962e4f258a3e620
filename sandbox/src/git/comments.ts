import type { Person } from './pull-request.ts';

/** A comment on a pull request, kept in memory only. Times are epoch milliseconds. */
export type Comment = {
  id: number;
  repositoryId: number;
  number: number;
  body: string;
  by: Person | null;
  at: number;
  changedAt: number;
  isDeleted: boolean;
};

/** The comments of one host. */
export type Comments = {
  add: (comment: Pick<Comment, 'repositoryId' | 'number' | 'body' | 'by'>) => Comment;
  /** The comments of a pull request, oldest first. */
  of: (repositoryId: number, number: number) => Comment[];
  find: (repositoryId: number, id: string) => Comment | undefined;
  all: Comment[];
};

export const createComments = (): Comments => {
  const all: Comment[] = [];
  return {
    all,
    add(given) {
      const at = Date.now();
      const comment = { ...given, id: 1000 + all.length, at, changedAt: at, isDeleted: false };
      all.push(comment);
      return comment;
    },
    of: (repositoryId, number) =>
      all.filter((comment) => comment.repositoryId === repositoryId && comment.number === number),
    find: (repositoryId, id) =>
      all.find((comment) => comment.repositoryId === repositoryId && String(comment.id) === id && !comment.isDeleted),
  };
};

export const change = (comment: Comment, body: string): Comment =>
  Object.assign(comment, { body, changedAt: Date.now() });
