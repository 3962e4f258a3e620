import { roleNames } from '@sightline/contract/core/permissions.ts';
import type { listMembers } from '@sightline/contract/organization/members.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const memberCsvColumns: CsvColumns<RowOf<typeof listMembers>> = {
  name: ({ name }) => name,
  email: ({ email }) => email,
  role: ({ role }) => role && roleNames[role.id],
  status: ({ status }) => status,
  source: ({ source }) => source,
  'invited by': ({ invitedBy }) => invitedBy?.name,
  'created at': ({ createdAt }) => createdAt,
  'last activity': ({ lastActivityAt }) => lastActivityAt,
  'invitation expires at': ({ expiresAt }) => expiresAt,
  id: ({ id }) => id,
};
