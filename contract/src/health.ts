import { z } from 'zod';
import { endpoint } from './endpoint.ts';

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
  summary: 'Whether the server can serve: the database answers. 503 otherwise.',
  scope: 'public',
  response: z.object({ status: z.literal('ok') }),
});
