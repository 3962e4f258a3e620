import {
  decideFindingWaiver,
  dismissFindings,
  listFindingWaivers,
  mergeFindings,
  reopenFindings,
  requestFindingWaivers,
  splitFinding,
  withdrawFindingWaiver,
} from '@sightline/contract/vulnerabilities/triage.ts';
import { endpointCase, inAMonth } from '../../../architecture/endpoint-case.ts';
import { setFindingDecision } from '../../../architecture/triage.ts';

export const endpointCases = [
  endpointCase(decideFindingWaiver, {
    request: ({ findingId, exceptionId }) => ({
      params: { findingId, exceptionId },
      body: { approve: true, comment: 'Until the library is replaced.' },
    }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    writes: ['finding.exception_approved'],
  }),
  endpointCase(dismissFindings, {
    request: ({ findingId }) => ({
      body: { ids: [findingId], reason: 'used_in_tests', comment: 'Only in a fixture.' },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['finding.exception_withdrawn', 'finding.dismissed'],
  }),
  endpointCase(listFindingWaivers, {
    request: () => ({ query: { sort: 'until-asc', state: 'requested,approved' } }),
    access: { allows: 'members' },
  }),
  endpointCase(mergeFindings, {
    request: ({ findingId, otherFindingId }) => ({
      params: { findingId },
      body: { ids: [otherFindingId] },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['finding.exception_withdrawn', 'finding.merged'],
  }),
  endpointCase(reopenFindings, {
    request: ({ findingId }) => ({ body: { ids: [findingId] } }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['finding.reopened'],
    auditing: {
      before: (server, seed) => setFindingDecision(server, seed, 'dismissed'),
    },
  }),
  endpointCase(requestFindingWaivers, {
    request: ({ findingId }) => ({
      body: { ids: [findingId], until: inAMonth(), comment: 'In spring.' },
    }),
    // Contributors may request waivers in repositories in which they work.
    access: { allows: ['owner'], foreign: 404, except: { contributor: 404 } },
    writes: ['finding.exception_requested'],
    auditing: {
      before: (server, seed) => setFindingDecision(server, seed, null),
    },
  }),
  endpointCase(splitFinding, {
    request: ({ findingId, sourceId }) => ({
      params: { findingId },
      body: { sources: [sourceId] },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['finding.split', 'finding.split'],
  }),
  endpointCase(withdrawFindingWaiver, {
    request: ({ otherFindingId, ownExceptionId }) => ({
      params: { findingId: otherFindingId, exceptionId: ownExceptionId },
    }),
    access: { allows: ['owner'], foreign: 404, except: { contributor: 404, exchanged: 403 } },
    writes: ['finding.exception_withdrawn'],
  }),
];
