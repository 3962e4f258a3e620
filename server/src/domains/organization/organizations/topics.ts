import { topic } from '#core/topics.ts';

/** An archived organization was restored: what stood still meanwhile goes on. */
export const organizationRestored = topic<Record<string, never>>('organization.restored');
