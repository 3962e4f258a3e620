import type { listAccessKeys } from '@sightline/contract/identity/access-keys.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const accessKeyCsvColumns: CsvColumns<RowOf<typeof listAccessKeys>> = {
  name: ({ name }) => name,
  use: ({ use }) => use,
  repository: ({ repository }) => repository?.fullName,
  personal: ({ isPersonal }) => isPersonal,
  state: ({ state }) => state,
  'last characters': ({ keyEnd }) => keyEnd,
  'created by': ({ createdBy }) => createdBy.name,
  'created at': ({ createdAt }) => createdAt,
  'last used at': ({ lastUsedAt }) => lastUsedAt,
  'expires at': ({ expiresAt }) => expiresAt,
  'revoked at': ({ revokedAt }) => revokedAt,
  id: ({ id }) => id,
};
