import {
  decideWaiver,
  exportWaivers,
  listWaivers,
  requestFindingWaivers,
  requestWaiver,
  withdrawWaiver,
} from '@sightline/contract/vulnerabilities/waivers.ts';
import { endpointCase, inAMonth, listCases } from '../../../architecture/endpoint-case.ts';
import { setFindingDecision } from '../../../architecture/triage.ts';

export const endpointCases = [
  endpointCase(decideWaiver, {
    request: ({ controlWaiverId }) => ({
      params: { waiverId: controlWaiverId },
      body: { approve: true, comment: 'For now' },
    }),
    access: { allows: ['owner', 'reviewer'], foreign: 404 },
    writes: ['waiver.approved'],
  }),
  ...listCases([listWaivers, exportWaivers], {
    request: () => ({
      query: { view: 'open', sort: 'until-asc', search: 'seed', controls: 'CHG-01,VUL-01' },
    }),
    access: { allows: 'members' },
  }),
  endpointCase(requestFindingWaivers, {
    request: ({ findingId }) => ({
      body: { ids: [findingId], until: inAMonth(), reason: 'We replace it in spring.' },
    }),
    // Contributors may request waivers in repositories in which they work.
    access: { allows: ['owner'], foreign: 404, except: { contributor: 404 } },
    writes: ['finding.waiver_requested'],
    auditing: {
      before: (server, seed) => setFindingDecision(server, seed, null),
    },
  }),
  endpointCase(requestWaiver, {
    request: () => ({
      body: { control: 'LOG-01', subject: '2026-01-01', reason: 'The seed needs it', until: inAMonth() },
    }),
    access: { allows: ['owner'], except: { contributor: 404 } },
    writes: ['waiver.requested'],
  }),
  endpointCase(withdrawWaiver, {
    request: ({ ownFindingWaiverId }) => ({ params: { waiverId: ownFindingWaiverId } }),
    access: { allows: ['owner'], foreign: 404, except: { contributor: 404, exchanged: 403 } },
    writes: ['finding.waiver_withdrawn'],
  }),
];
