import { topic } from '#core/topics.ts';

/** The history of a repository is here: commits, pull requests and what changed in each. */
export const historyImported = topic<{ repositoryId: string }>('sources.history-imported');
