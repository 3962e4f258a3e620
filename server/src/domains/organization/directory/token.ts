import type { SecretKind } from '#core/org-secrets.ts';

/** Tokens of directories contain their organization. Only their hash is stored. */
export const directoryTokenKind: SecretKind = { prefix: 'sl_scim_', bytes: 32 };
