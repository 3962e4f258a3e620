import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';

export const getLiveness = endpoint({
  method: 'GET',
  path: '/health/live',
  summary: 'Whether the process answers at all.',
  scope: 'public',
  response: z.object({ status: z.literal('ok') }),
});

export const getReadiness = endpoint({
  method: 'GET',
  path: '/health/ready',
  summary: 'Whether the server can serve: 503 with the causes if it cannot.',
  scope: 'public',
  /** `degraded`: it serves, and `warnings` say what of its work stands still. */
  response: z.object({ status: z.enum(['ok', 'degraded']), warnings: z.array(z.string()) }),
});
