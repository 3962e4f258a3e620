import {
  getApprovalTrend,
  getChange,
  getChangeProvenance,
  getChangeSourceLevel,
  getChangeVsa,
  listChanges,
} from '@sightline/contract/compliance/changes.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

const sourceCase = {
  request: ({ changeId }: { changeId: string }) => ({ params: { id: changeId } }),
  access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
} as const;

export const endpointCases = [
  endpointCase(getApprovalTrend, {
    request: ({ repositoryId }) => ({ query: { days: '90', repository: repositoryId } }),
    access: { allows: 'members' },
  }),
  endpointCase(getChange, {
    request: ({ changeId }) => ({ params: { id: changeId }, query: { version: '1' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  endpointCase(getChangeSourceLevel, sourceCase),
  endpointCase(getChangeVsa, sourceCase),
  endpointCase(getChangeProvenance, sourceCase),
  endpointCase(listChanges, {
    request: () => ({ query: { perPage: '5', approval: 'no', only: 'missing' } }),
    access: { allows: 'members' },
  }),
];
