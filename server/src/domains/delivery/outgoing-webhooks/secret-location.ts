import type { SecretLocation } from '#core/secrets.ts';

/** Where the secrets of a webhook are sealed; the one before lies where the present one lay. */
export const placeOf = (orgId: string, webhookId: string): SecretLocation => ({
  org: orgId,
  table: 'outgoing_webhook',
  field: `secret ${webhookId}`,
});
