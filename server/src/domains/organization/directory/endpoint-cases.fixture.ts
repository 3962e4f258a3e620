import {
  connectDirectory,
  disconnectDirectory,
  exportDirectoryUsers,
  getDirectory,
  getGroupRoles,
  listDirectoryGroups,
  listDirectoryUsers,
  rotateDirectoryToken,
  testDirectory,
  updateDirectory,
  updateGroupRoles,
} from '@sightline/contract/organization/directory.ts';
import { endpointCase, listCases } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(connectDirectory, {
    request: () => ({ body: { product: 'okta', defaultRole: null } }),
    access: { allows: ['owner'], status: 409 },
    recentSignIn: true,
    writesNothing: 'A directory is connected already: see directory/directory.test.ts.',
  }),
  endpointCase(disconnectDirectory, {
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['directory.disconnected'],
  }),
  endpointCase(getDirectory, { access: { allows: ['owner'] } }),
  endpointCase(getGroupRoles, { access: { allows: ['owner'] } }),
  endpointCase(listDirectoryGroups, { request: () => ({ query: { search: 'staff' } }), access: { allows: ['owner'] } }),
  ...listCases([listDirectoryUsers, exportDirectoryUsers], {
    request: () => ({ query: { search: 'of' } }),
    access: { allows: ['owner'] },
  }),
  endpointCase(rotateDirectoryToken, {
    request: () => ({ body: { revokePrevious: true } }),
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['directory.token_rotated'],
  }),
  endpointCase(testDirectory, {
    access: { allows: ['owner'] },
    writesNothing: 'Only reads the state of the directory.',
  }),
  endpointCase(updateDirectory, {
    request: () => ({
      body: { defaultRole: 'rol_auditor', groupRoles: [{ group: 'Staff', roleId: 'rol_reviewer' }] },
    }),
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['directory.roles_changed'],
  }),
  endpointCase(updateGroupRoles, {
    request: () => ({ body: { roles: [{ group: 'Staff', roleId: 'rol_auditor' }] } }),
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['directory.roles_changed'],
  }),
];
