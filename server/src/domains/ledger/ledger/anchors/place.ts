import type { Place } from '#core/secrets.ts';

/** Where the token or secret of an anchor is sealed. */
export const placeOf = (orgId: string, anchorId: string): Place => ({
  org: orgId,
  table: 'anchor',
  field: `secret ${anchorId}`,
});
