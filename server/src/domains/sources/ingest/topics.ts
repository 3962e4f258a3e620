import { topic } from '#core/topics.ts';

/** A merged pull request was written, or a review of it was dismissed after it was merged. `mergedAt` is RFC 3339. */
export const mergeRecorded = topic<{
  repositoryId: string;
  number: number;
  mergedAt: string;
  isDismissal: boolean;
}>('sources.merge-recorded');
