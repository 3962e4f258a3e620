import { exportControlRows, getControlSample, listControlRows } from '@sightline/contract/compliance/control-rows.ts';
import {
  exportControls,
  getControl,
  getControlsOverview,
  getControlTask,
  getReadiness,
  listControlRuns,
  listControlSettings,
  listControls,
  runControl,
  runControls,
} from '@sightline/contract/compliance/control-runs.ts';
import { controlIds } from '@sightline/contract/core/control-ids.ts';
import { endpointCase, listCases } from '../../../architecture/endpoint-case.ts';
import { populationOf } from './catalog.ts';

export const endpointCases = [
  endpointCase(getControl, {
    request: () => ({ params: { id: 'LOG-01' }, query: { period: '2026-Q1' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(getControlSample, {
    request: () => ({ params: { id: 'LOG-01' }, query: { period: '2026-Q1', size: '5' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(getControlTask, {
    request: ({ taskId }) => ({ params: { id: 'LOG-01', taskId } }),
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404 },
  }),
  endpointCase(getControlsOverview, {
    request: () => ({ query: { period: '2026-Q1' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(getReadiness, {
    request: () => ({ query: { days: '90' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  ...listCases([listControlRows, exportControlRows], {
    request: () => ({
      params: { id: 'LOG-01' },
      query: { period: '2026-Q1', verdict: 'missing_evidence,pass', reason: 'ledger_facts_missing', search: '2026' },
    }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(listControlRuns, {
    request: () => ({ params: { id: 'LOG-01' }, query: { period: '2026-Q1', perPage: '5' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(listControlSettings, {
    request: () => ({ params: { id: 'CHG-01' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  ...listCases([listControls, exportControls], {
    request: () => ({ query: { period: '2026-Q1' } }),
    access: { allows: ['owner', 'reviewer', 'auditor'] },
  }),
  endpointCase(runControl, {
    request: () => ({ params: { id: 'LOG-01' }, body: { period: '2026-Q3' } }),
    access: { allows: ['owner', 'reviewer'] },
    writes: ['control.run_requested'],
  }),
  endpointCase(runControls, {
    request: () => ({ body: { period: '2026-Q2' } }),
    access: { allows: ['owner', 'reviewer'] },
    // One for each control that Sightline evaluates.
    writes: controlIds.filter((id) => populationOf(id)).map(() => 'control.run_requested' as const),
  }),
];
