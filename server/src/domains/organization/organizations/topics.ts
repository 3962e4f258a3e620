import { topic } from '#core/topics.ts';

/** An archived organization was restored: paused work continues. */
export const organizationRestored = topic<Record<string, never>>('organization.restored');
