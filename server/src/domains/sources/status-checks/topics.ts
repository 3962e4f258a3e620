import { topic } from '#core/topics.ts';

/** An external status check of a GitLab asks about a merge request. */
export const statusCheckRequested = topic<{ repositoryId: string; number: number; checkId: string }>(
  'sources.status-check-requested',
);
