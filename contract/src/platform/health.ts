import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';

export const getLiveness = endpoint({
  method: 'GET',
  path: '/health/live',
  summary: 'Returns whether the process is alive.',
  scope: 'public',
  response: z.object({ status: z.literal('ok') }),
});

export const getReadiness = endpoint({
  method: 'GET',
  path: '/health/ready',
  summary: 'Returns whether the server is ready, or 503 with the causes.',
  scope: 'public',
  /** `degraded`: it serves requests, and `warnings` lists the stopped background work. */
  response: z.object({ status: z.enum(['ok', 'degraded']), warnings: z.array(z.string()) }),
});
