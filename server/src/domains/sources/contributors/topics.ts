import { topic } from '#core/topics.ts';

/** The links between these persons changed, in the given repository or else in all. */
export const personsLinked = topic<{ persons: readonly string[]; repositoryId?: string }>('sources.persons-linked');
