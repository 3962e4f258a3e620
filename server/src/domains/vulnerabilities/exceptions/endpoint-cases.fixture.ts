import {
  decideWaiver,
  listWaivers,
  requestWaiver,
  withdrawWaiver,
} from '@sightline/contract/vulnerabilities/exceptions.ts';
import { endpointCase, inAMonth } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(decideWaiver, {
    request: ({ leaveId }) => ({
      params: { exceptionId: leaveId },
      body: { approve: true, comment: 'For now' },
    }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    writes: ['exception.approved'],
  }),
  endpointCase(listWaivers, {
    request: () => ({
      query: { view: 'open', sort: 'until-asc', search: 'seed', controls: 'CHG-01,VUL-01' },
    }),
    access: { allows: 'members' },
  }),
  endpointCase(requestWaiver, {
    request: () => ({
      body: { control: 'LOG-01', subject: '2026-01-01', reason: 'The seed needs it', until: inAMonth() },
    }),
    access: { allows: ['owner'], except: { contributor: 404 } },
    writes: ['exception.requested'],
  }),
  endpointCase(withdrawWaiver, {
    request: ({ ownLeaveId }) => ({ params: { exceptionId: ownLeaveId } }),
    access: { allows: ['owner'], foreign: 404, except: { contributor: 404, exchanged: 403 } },
    writes: ['exception.withdrawn'],
  }),
];
