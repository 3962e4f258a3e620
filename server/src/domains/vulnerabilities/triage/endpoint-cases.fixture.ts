import {
  dismissFindings,
  mergeFindings,
  reopenFindings,
  splitFinding,
} from '@sightline/contract/vulnerabilities/triage.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';
import { setFindingDecision } from '../../../architecture/triage.ts';

export const endpointCases = [
  endpointCase(dismissFindings, {
    request: ({ findingId }) => ({
      body: { ids: [findingId], reason: 'used_in_tests', comment: 'Only in a fixture.' },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['finding.waiver_withdrawn', 'finding.dismissed'],
  }),
  endpointCase(mergeFindings, {
    request: ({ findingId, otherFindingId }) => ({
      params: { findingId },
      body: { ids: [otherFindingId] },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['finding.waiver_withdrawn', 'finding.merged'],
  }),
  endpointCase(reopenFindings, {
    request: ({ findingId }) => ({ body: { ids: [findingId] } }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['finding.reopened'],
    auditing: {
      before: (server, seed) => setFindingDecision(server, seed, 'dismissed'),
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
];
