import { topic } from '#core/topics.ts';

/** These persons are taken for one from now on, or no longer; in one repository where it is named, else in all. */
export const personsLinked = topic<{ persons: readonly string[]; repositoryId?: string }>('sources.persons-linked');
