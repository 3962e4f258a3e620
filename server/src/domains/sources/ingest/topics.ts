import { topic } from '#core/topics.ts';

/** A merged pull request was stored, or one of its reviews was dismissed after the merge. `mergedAt` is RFC 3339. */
export const mergeRecorded = topic<{
  repositoryId: string;
  number: number;
  mergedAt: string;
  isDismissal: boolean;
}>('sources.merge-recorded');
