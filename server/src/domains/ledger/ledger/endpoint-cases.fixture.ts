import {
  getLedger,
  getLedgerCheckpoint,
  getLedgerConsistency,
  getLedgerProof,
  getLedgerSize,
  listLedgerEntries,
  updateLedgerAccess,
} from '@sightline/contract/ledger/ledger.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(getLedger, {
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(getLedgerCheckpoint, {
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(getLedgerConsistency, {
    request: () => ({ query: { from: '0', to: '1' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(getLedgerProof, {
    request: ({ auditId }) => ({ params: { entryId: auditId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(getLedgerSize, {
    request: () => ({ query: { ledgerSize: '1' } }),
    access: { allows: 'members' },
  }),
  endpointCase(listLedgerEntries, {
    request: () => ({ query: { from: '0', to: '1' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(updateLedgerAccess, {
    request: () => ({ body: { isPublic: true } }),
    access: { allows: ['owner'] },
    recentSignIn: true,
    writes: ['ledger.published'],
  }),
];
