import { editFindings, undoFindingEdit } from '@sightline/contract/vulnerabilities/finding-edits.ts';
import { createFindingTickets } from '@sightline/contract/vulnerabilities/finding-tickets.ts';
import {
  dismissFindings,
  mergeFindings,
  reopenFindings,
  splitFinding,
} from '@sightline/contract/vulnerabilities/triage.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';
import { setFindingDecision } from '../../../architecture/triage.ts';

export const endpointCases = [
  endpointCase(createFindingTickets, {
    request: ({ findingId }) => ({
      body: { ids: [findingId], target: { tracker: 'linear', project: 'PAY', type: null } },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['tickets.requested'],
  }),
  endpointCase(dismissFindings, {
    request: ({ findingId }) => ({
      body: { ids: [findingId], reason: 'used_in_tests', comment: 'Only in a fixture.' },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['finding.waiver_withdrawn', 'finding.dismissed'],
  }),
  endpointCase(editFindings, {
    request: ({ findingId, org }) => ({
      body: { findings: { ids: [findingId] }, edit: { assigneeId: org.owner.id, addLabels: ['backend'] } },
    }),
    access: { allows: ['owner'], foreign: 404 },
    writes: ['finding.edited'],
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
  endpointCase(undoFindingEdit, {
    request: ({ findingEditId }) => ({ params: { editId: findingEditId } }),
    access: { allows: ['owner'], foreign: 404, except: { exchanged: 404 } },
    writes: ['finding.edited'],
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
