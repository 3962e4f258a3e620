import {
  createAccessKey,
  createPersonalKey,
  exportAccessKeys,
  listAccessKeys,
  listPersonalKeys,
  revokeAccessKey,
  revokePersonalKey,
} from '@sightline/contract/identity/access-keys.ts';
import { endpointCase, listCases } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(listPersonalKeys, {
    access: { allows: 'members' },
  }),
  endpointCase(createPersonalKey, {
    request: () => ({ body: { name: 'Laptop' } }),
    access: { allows: 'members' },
    recentSignIn: true,
    writes: ['access_key.created'],
  }),
  endpointCase(revokePersonalKey, {
    request: ({ personalKeyId }) => ({ params: { accessKeyId: personalKeyId } }),
    access: {
      allows: 'members',
      foreign: 404,
      except: { contributor: 404, reviewer: 404, auditor: 404, exchanged: 404 },
    },
    writes: ['access_key.revoked'],
  }),
  endpointCase(createAccessKey, {
    request: ({ repositoryId }) => ({ body: { name: 'CI', repositoryId, days: 30 } }),
    access: { allows: ['owner'], foreign: 400 },
    recentSignIn: true,
    writes: ['access_key.created'],
  }),
  ...listCases([listAccessKeys, exportAccessKeys], {
    request: () => ({ query: { sort: 'name-asc' } }),
    access: { allows: ['owner'] },
  }),
  endpointCase(revokeAccessKey, {
    request: ({ accessKeyId }) => ({ params: { accessKeyId } }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['access_key.revoked'],
  }),
];
