import { exportHostAccess, getHostAccessStatus, listHostAccess } from '@sightline/contract/compliance/host-access.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

const at = '2026-05-01T00:00:00.000Z';
const access = { allows: ['owner', 'reviewer', 'auditor'] } as const;

export const endpointCases = [
  endpointCase(exportHostAccess, {
    request: () => ({ query: { at, kind: 'person' } }),
    access,
    writes: ['host_access.exported'],
  }),
  endpointCase(getHostAccessStatus, { request: () => ({ query: { at } }), access }),
  endpointCase(listHostAccess, {
    request: ({ repositoryId }) => ({
      query: {
        at,
        repository: repositoryId,
        sort: 'permission-desc',
        kind: 'person,key',
        permission: 'write',
        duty: 'write,approve',
        member: 'no',
        search: 'm',
      },
    }),
    access,
  }),
];
