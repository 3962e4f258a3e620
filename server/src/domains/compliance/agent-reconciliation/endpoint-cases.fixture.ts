import {
  exportReconciledAgents,
  exportReconciliationGroups,
  getChangeAgents,
  getReconciliationFilters,
  getReconciliationTrend,
  listReconciledAgents,
  listReconciliationGroups,
} from '@sightline/contract/compliance/agent-reconciliation.ts';
import { endpointCase, listCases } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(exportReconciledAgents, {
    request: () => ({ query: { status: 'declared_only' } }),
    access: { allows: 'members' },
    writes: ['agent_reconciliation.exported'],
  }),
  endpointCase(getChangeAgents, {
    request: ({ changeId }) => ({ params: { id: changeId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  endpointCase(getReconciliationFilters, {
    access: { allows: 'members' },
  }),
  endpointCase(getReconciliationTrend, {
    request: ({ repositoryId }) => ({ query: { days: '90', repository: repositoryId, agent: 'Claude' } }),
    access: { allows: 'members' },
  }),
  endpointCase(listReconciledAgents, {
    request: ({ repositoryId }) => ({
      query: { status: 'declared_only,observed_only', repository: repositoryId, period: '2026', search: 'a' },
    }),
    access: { allows: 'members' },
  }),
  ...listCases([listReconciliationGroups, exportReconciliationGroups], {
    request: () => ({ query: { by: 'person', period: '2026' } }),
    access: { allows: 'members' },
  }),
];
