import {
  changeMemberRole,
  deactivateMember,
  deleteMember,
  exportMembers,
  findHandle,
  getMembersSummary,
  listMembers,
  recordHomeVisit,
  reinstateMember,
} from '@sightline/contract/organization/members.ts';
import { findPictures } from '@sightline/contract/organization/people.ts';
import { endpointCase, listCases } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(changeMemberRole, {
    request: ({ memberId }) => ({
      params: { userId: memberId },
      body: { oldRole: 'rol_contributor', newRole: 'rol_reviewer' },
    }),
    access: { allows: ['owner'], foreign: 404 },
    recentSignIn: true,
    writes: ['member.role_changed'],
  }),
  endpointCase(deactivateMember, {
    request: ({ memberId }) => ({ params: { userId: memberId } }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['member.deactivated'],
  }),
  endpointCase(deleteMember, {
    request: ({ memberId }) => ({ params: { userId: memberId } }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['member.removed'],
  }),
  endpointCase(findHandle, {
    request: () => ({ params: { handle: 'unknown' } }),
    // A login that no code host has: members/routes.test.ts tests known ones.
    access: { allows: 'members', status: 404 },
  }),
  endpointCase(findPictures, {
    // Members of other organizations have no pictures here.
    request: ({ memberId }) => ({ query: { ids: memberId } }),
    access: { allows: 'members' },
  }),
  endpointCase(getMembersSummary, {
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  ...listCases([listMembers, exportMembers], {
    request: () => ({ query: { sort: 'name-asc', status: 'active,pending' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(recordHomeVisit, {
    access: { allows: 'members' },
    writesNothing: 'Records when the member last saw Home, which only they can read.',
  }),
  endpointCase(reinstateMember, {
    request: ({ formerId }) => ({ params: { userId: formerId } }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['member.reinstated'],
  }),
];
