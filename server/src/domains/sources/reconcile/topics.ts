import { topic } from '#core/topics.ts';

/** A repository was compared with its code host. `newCommits`: the number of commits that webhooks missed. */
export const repositoryReconciled = topic<{ repositoryId: string; newCommits: number }>(
  'sources.repository-reconciled',
);
