import { listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(listIntegrations, {
    access: { allows: 'members' },
  }),
];
