import type { SecretLocation } from '#core/secrets.ts';

/** Where the secret of a destination is sealed. */
export const placeOf = (orgId: string, destinationId: string): SecretLocation => ({
  org: orgId,
  table: 'evidence_destination',
  field: `secret ${destinationId}`,
});
