import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { timestamp } from '../core/text.ts';

/** An external status check with which GitLab projects query whether a merge request satisfies the policies. */
const statusCheck = z.object({
  /** The URL to configure in GitLab. */
  address: z.string(),
  createdAt: timestamp,
});
export type StatusCheck = z.infer<typeof statusCheck>;

const owner = { scope: 'organization', permission: 'manage:integrations' } as const;
const path = '/v2/integrations/gitlab/status-check';

export const getStatusCheck = endpoint({
  method: 'GET',
  path,
  summary: 'Returns the URL for GitLab external status checks, or null.',
  ...owner,
  response: statusCheck.nullable(),
});

export const createStatusCheck = endpoint({
  method: 'POST',
  path,
  summary: 'Creates a URL and a secret for GitLab external status checks. Earlier ones stop working.',
  ...owner,
  status: 201,
  response: statusCheck.extend({
    /** Shown only once. */
    secret: z.string(),
  }),
});

export const deleteStatusCheck = endpoint({
  method: 'DELETE',
  path,
  summary: 'Removes the URL for GitLab external status checks. Requests to it are no longer answered.',
  ...owner,
  status: 204,
  response: z.null(),
});
