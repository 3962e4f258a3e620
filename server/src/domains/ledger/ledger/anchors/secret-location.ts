import type { SecretLocation } from '#core/secrets.ts';

/** Where the token or secret of an anchor is sealed. */
export const placeOf = (orgId: string, anchorId: string): SecretLocation => ({
  org: orgId,
  table: 'anchor',
  field: `secret ${anchorId}`,
});
