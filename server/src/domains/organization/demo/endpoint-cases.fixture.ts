import { createDemo, getDemo, removeDemo } from '@sightline/contract/organization/demo.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

// The seeded organizations are demo organizations.
export const endpointCases = [
  endpointCase(createDemo, {
    // The servers of these tests have no sandbox.
    access: { allows: 'accounts', status: 403 },
    writesNothing: 'starts an operator command, whose changes are recorded',
  }),
  endpointCase(getDemo, {
    access: { allows: 'accounts' },
  }),
  endpointCase(removeDemo, {
    access: { allows: ['owner'] },
    writes: ['organization.archived'],
  }),
];
