import { getLiveness, getReadiness } from '@sightline/contract/platform/health.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(getLiveness, {
    access: { allows: 'everyone' },
  }),
  endpointCase(getReadiness, {
    access: { allows: 'everyone' },
  }),
];
