import { exportAudit, getAuditEntry, getAuditFilters, listAudit } from '@sightline/contract/organization/audit.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(exportAudit, {
    request: () => ({ query: { format: 'ndjson' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
    writes: ['audit.exported'],
  }),
  endpointCase(getAuditEntry, {
    request: ({ auditId }) => ({ params: { auditId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(getAuditFilters, {
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(listAudit, {
    request: () => ({ query: { search: 'repository', perPage: '5' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
];
