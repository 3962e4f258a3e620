import { topic } from '#core/topics.ts';

/** The history of a repository is imported: commits, pull requests and changed files. */
export const historyImported = topic<{ repositoryId: string }>('sources.history-imported');
