import { createStatusCheck, deleteStatusCheck, getStatusCheck } from '@sightline/contract/sources/status-checks.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';
import { createStatusCheckUrl } from '../../../architecture/status-check.ts';

export const endpointCases = [
  endpointCase(createStatusCheck, {
    access: { allows: ['owner'] },
    writes: ['integration.status_check_made'],
  }),
  endpointCase(deleteStatusCheck, {
    access: { allows: ['owner'] },
    writes: ['integration.status_check_removed'],
    auditing: {
      before: createStatusCheckUrl,
    },
  }),
  endpointCase(getStatusCheck, {
    access: { allows: ['owner'] },
  }),
];
