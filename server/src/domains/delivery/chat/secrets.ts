import type { SecretLocation } from '#core/secrets.ts';

/** Where the secrets of a workspace are sealed. */
export const workspaceSecret = (org: string, field: 'token' | 'signing secret'): SecretLocation => ({
  org,
  table: 'chat_workspace',
  field: `slack ${field}`,
});
