import { topic } from '#core/topics.ts';

/** An owner enabled a repository; its history is imported from now on. */
export const repositoryEnabled = topic<{ repositoryId: string }>('sources.repository-enabled');
