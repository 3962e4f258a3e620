import { countOverdueRemediations } from '@sightline/contract/compliance/overdue-remediations.ts';
import { changeRemediations, recordRetest } from '@sightline/contract/compliance/remediation-changes.ts';
import { createRemediationTickets } from '@sightline/contract/compliance/remediation-tickets.ts';
import { exportRemediations, listRemediations } from '@sightline/contract/compliance/remediations.ts';
import { newId } from '#core/ids.ts';
import { endpointCase, listCases } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(changeRemediations, {
    // Without a difference, nothing would be recorded.
    request: () => ({
      body: { control: 'LOG-01', period: '2026-Q1', subjects: ['2026-01-01'], dueOn: '2099-01-01', notes: newId() },
    }),
    access: { allows: ['owner'], except: { contributor: 404 } },
    writes: ['remediation.changed'],
  }),
  endpointCase(createRemediationTickets, {
    request: () => ({
      body: {
        control: 'LOG-01',
        period: '2026-Q1',
        subjects: ['2026-01-01'],
        target: { tracker: 'linear', project: 'PAY', type: null },
      },
    }),
    access: { allows: ['owner'], except: { contributor: 404 } },
    writes: ['tickets.requested'],
  }),
  endpointCase(countOverdueRemediations, { access: { allows: 'members' } }),
  ...listCases([listRemediations, exportRemediations], {
    request: () => ({ query: { view: 'open', sort: 'due-asc', search: 'LOG-01' } }),
    access: { allows: 'members' },
  }),
  endpointCase(recordRetest, {
    request: ({ remediationId }) => ({ params: { remediationId }, body: { result: 'fail', notes: 'Tested again' } }),
    access: { allows: ['owner', 'reviewer'], foreign: 404, except: { contributor: 404 } },
    writes: ['remediation.retested'],
  }),
];
