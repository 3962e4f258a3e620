import { topic } from '#core/topics.ts';

/** A repository was compared with its code host; `newCommits` webhooks had not told of. */
export const repositoryReconciled = topic<{ repositoryId: string; newCommits: number }>(
  'sources.repository-reconciled',
);
