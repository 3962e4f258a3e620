import type { SecretLocation } from '#core/secrets.ts';

/** Where the secret of an exporter is sealed. */
export const placeOf = (orgId: string, exporterId: string): SecretLocation => ({
  org: orgId,
  table: 'exporter',
  field: `secret ${exporterId}`,
});
