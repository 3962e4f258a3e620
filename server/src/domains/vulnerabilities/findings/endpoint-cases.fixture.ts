import {
  exportFindings,
  getFinding,
  getFindingNeighbors,
  getFindingSnippet,
  getFindingStats,
  getFindingTrend,
  listFindingFilter,
  listFindingGroups,
  listFindings,
  markFindingRead,
} from '@sightline/contract/vulnerabilities/findings.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(exportFindings, {
    request: () => ({ query: { format: 'sarif' } }),
    access: { allows: 'members' },
    writes: ['finding.exported'],
  }),
  endpointCase(getFinding, {
    request: ({ findingId }) => ({ params: { findingId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  endpointCase(getFindingNeighbors, {
    request: ({ findingId }) => ({ params: { findingId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  endpointCase(getFindingSnippet, {
    request: ({ findingId }) => ({ params: { findingId } }),
    // No code host can show the code: see domains/vulnerabilities/findings/snippet.test.ts.
    access: { allows: ['owner', 'reviewer', 'auditor'], status: 502, foreign: 404, except: { contributor: 404 } },
    scene: 'suspended-installation',
  }),
  endpointCase(getFindingStats, {
    request: () => ({ query: { category: 'sast' } }),
    access: { allows: 'members' },
  }),
  endpointCase(getFindingTrend, {
    request: () => ({ query: { days: '90' } }),
    access: { allows: 'members' },
  }),
  endpointCase(listFindingFilter, {
    request: () => ({ params: { name: 'repositories' }, query: { severity: 'high' } }),
    access: { allows: 'members' },
  }),
  endpointCase(listFindingGroups, {
    request: () => ({ query: { by: 'rule', severity: 'high' } }),
    access: { allows: 'members' },
  }),
  endpointCase(listFindings, {
    request: () => ({ query: { search: 'inject', sort: 'severity-desc' } }),
    // Contributors see findings of repositories in which they work.
    access: { allows: 'members' },
  }),
  endpointCase(markFindingRead, {
    request: ({ findingId }) => ({ params: { findingId }, body: { read: true } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
    writesNothing: 'Changes the read state of the member only.',
  }),
];
