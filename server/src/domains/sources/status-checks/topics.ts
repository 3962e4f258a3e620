import { topic } from '#core/topics.ts';

/** An external status check of GitLab requests the result of a merge request. */
export const statusCheckRequested = topic<{ repositoryId: string; number: number; checkId: string }>(
  'sources.status-check-requested',
);
