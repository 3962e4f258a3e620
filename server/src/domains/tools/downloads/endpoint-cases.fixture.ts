import { listDownloads } from '@sightline/contract/tools/downloads.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(listDownloads, {
    access: { allows: 'accounts' },
  }),
];
