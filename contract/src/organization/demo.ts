import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';

export const demoStates = ['creating', 'ready', 'failed'] as const;

/** The progress of the demo of this server. */
export const demoProgress = z.object({
  state: z.enum(demoStates),
  /** Completed and total steps. */
  done: z.number().int(),
  total: z.number().int(),
  /** The current step in words. */
  step: z.string(),
  /** Why it failed. */
  problem: z.string().nullable(),
  /** The organization, as soon as it exists. */
  organizationId: z.string().nullable(),
});
export type DemoProgress = z.infer<typeof demoProgress>;

/** A server without a sandbox offers no demo. `progress` is null until one is created. */
const demo = z.object({ isOffered: z.boolean(), progress: demoProgress.nullable() });

export const getDemo = endpoint({
  method: 'GET',
  path: '/v2/demo',
  summary: 'Returns whether this server offers a demo organization, and its progress.',
  scope: 'account',
  response: demo,
});

export const createDemo = endpoint({
  method: 'POST',
  path: '/v2/demo',
  summary: 'Creates the demo organization of this server with the caller as an Account Owner.',
  scope: 'account',
  status: 202,
  changes: ['orgSettings'],
  response: demo,
  errors: ['conflict', 'forbidden'],
});

export const removeDemo = endpoint({
  method: 'DELETE',
  path: '/v2/demo',
  summary: 'Archives the demo organization of the token immediately, and then deletes it with all its data.',
  scope: 'organization',
  permission: 'update:org',
  whileArchived: true,
  status: 202,
  changes: ['orgSettings'],
  response: z.null(),
  errors: ['conflict'],
});
