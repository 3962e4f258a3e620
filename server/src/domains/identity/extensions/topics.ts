import { topic } from '#core/topics.ts';

/** Extensions of an account were signed out of an organization. */
export const grantsEnded = topic<{ accountId: string; grantIds: readonly string[] }>('identity.extension-grants-ended');
