import { listRoles } from '@sightline/contract/organization/roles.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(listRoles, {
    access: { allows: 'members' },
  }),
];
