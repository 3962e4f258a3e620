import { factId } from '#core/ids.ts';

/** The context that opens Explore on one repository. */
export const repositoryContextId = (repositoryId: string) => factId('context', repositoryId);
