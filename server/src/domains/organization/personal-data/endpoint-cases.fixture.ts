import { exportPersonalData, getPersonalData } from '@sightline/contract/organization/personal-data.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(exportPersonalData, {
    access: { allows: 'members' },
    writes: ['personal_data.exported'],
  }),
  endpointCase(getPersonalData, {
    access: { allows: 'members' },
  }),
];
