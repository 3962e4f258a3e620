import { exportCopilotUsage, getCopilotUsage, readCopilotUsage } from '@sightline/contract/tools/copilot-usage.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

// Sums of all members: not for Code Contributors, who see only their own sessions.
const seesAllSessions = { allows: ['owner', 'reviewer', 'auditor'] } as const;

export const endpointCases = [
  endpointCase(exportCopilotUsage, {
    request: () => ({ query: { period: '2026' } }),
    access: seesAllSessions,
    writes: ['copilot_usage.exported'],
  }),
  endpointCase(getCopilotUsage, {
    request: () => ({ query: { period: '2026' } }),
    access: seesAllSessions,
  }),
  endpointCase(readCopilotUsage, {
    access: { allows: ['owner'] },
    writes: ['copilot_usage.reading_requested'],
  }),
];
