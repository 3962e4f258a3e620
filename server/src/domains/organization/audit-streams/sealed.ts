import type { SecretLocation } from '#core/secrets.ts';

/** Where the secret of a destination is sealed; the previous one is sealed for the same place. */
export const sealedPlaceOf = (orgId: string, streamId: string): SecretLocation => ({
  org: orgId,
  table: 'audit_stream',
  field: `secret ${streamId}`,
});
