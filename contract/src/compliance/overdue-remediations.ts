import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';

// Apart from the list, whose shapes Home does not need.
export const countOverdueRemediations = endpoint({
  method: 'GET',
  path: '/v2/remediations/overdue',
  summary: 'Counts overdue remediations.',
  scope: 'organization',
  permission: 'read:policies-status',
  topics: ['orgEvidence'],
  response: z.object({ count: z.number() }),
});
