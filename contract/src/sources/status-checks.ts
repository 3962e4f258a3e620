import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { instant } from '../core/text.ts';

/** Where projects of a GitLab ask whether a merge request keeps the policies: an external status check of theirs. */
const statusCheck = z.object({
  /** What is to be given to GitLab as the address. */
  address: z.string(),
  createdAt: instant,
});
export type StatusCheck = z.infer<typeof statusCheck>;

const owner = { scope: 'organization', permission: 'manage:integrations' } as const;
const path = '/v2/integrations/gitlab/status-check';

export const getStatusCheck = endpoint({
  method: 'GET',
  path,
  summary: 'Returns the URL for GitLab external status checks, or null.',
  ...owner,
  topics: ['orgIntegrations'],
  response: statusCheck.nullable(),
});

export const makeStatusCheck = endpoint({
  method: 'POST',
  path,
  summary: 'Creates a URL and a secret for GitLab external status checks. Earlier ones stop working.',
  ...owner,
  status: 201,
  changes: ['orgIntegrations'],
  response: statusCheck.extend({
    /** Shown this once. */
    secret: z.string(),
  }),
});

export const deleteStatusCheck = endpoint({
  method: 'DELETE',
  path,
  summary: 'Removes the URL for GitLab external status checks. Requests to it are no longer answered.',
  ...owner,
  status: 204,
  changes: ['orgIntegrations'],
  response: z.null(),
});
