import { roleNames } from '@sightline/contract/core/permissions.ts';
import type { listDirectoryUsers } from '@sightline/contract/organization/directory.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const directoryUserCsvColumns: CsvColumns<RowOf<typeof listDirectoryUsers>> = {
  'user name': ({ userName }) => userName,
  name: ({ name }) => name,
  email: ({ email }) => email,
  active: ({ isActive }) => isActive,
  role: ({ roleId }) => roleId && roleNames[roleId],
  groups: ({ groups }) => groups,
  'reason without access': ({ withheld }) => withheld,
  'updated at': ({ updatedAt }) => updatedAt,
  id: ({ id }) => id,
};
