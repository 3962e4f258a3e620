import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, sitePath, timestamp } from '../core/text.ts';

export const getGithubStatus = endpoint({
  method: 'GET',
  path: '/v2/integrations/github/status',
  summary: 'Returns whether the GitHub app is installed for the organization, and the URL of its settings.',
  scope: 'organization',
  permission: 'read:org',
  response: z.object({
    active: z.boolean(),
    settingsURL: z.string().nullable(),
    /** `not_configured`: the operator configured no app. `suspended`: the installation is suspended on GitHub. */
    state: z.enum(['not_configured', 'not_connected', 'active', 'suspended', 'waiting_for_approval']),
    accounts: z.array(z.string()),
    /** True if the API is that of the local sandbox, not of GitHub. */
    sandbox: z.boolean(),
  }),
});

export const initiateGithubInstall = endpoint({
  method: 'GET',
  path: '/v2/integrations/github/initiate-install',
  summary: 'Starts the installation of the GitHub app. The browser continues at installationURL.',
  scope: 'organization',
  permission: 'manage:integrations',
  query: z.strictObject({ orgId: z.uuid().optional(), redirectURL: sitePath.default('/') }),
  response: z.object({ installationURL: z.string() }),
  errors: ['conflict', 'not_found'],
});

export const finalizeGithubInstall = endpoint({
  method: 'GET',
  path: '/v2/integrations/github/finalize-install',
  summary: 'Binds an installation to the organization after the caller proved access to it. Idempotent.',
  scope: 'organization',
  permission: 'manage:integrations',
  query: z.strictObject({
    /** Absent if a member only requested the installation (`setup_action=request`). */
    installation_id: boundedText(20).regex(/^\d+$/, { error: 'must be a number' }).optional(),
    state: boundedText(200).optional(),
    code: boundedText(200).optional(),
    setup_action: boundedText(20).optional(),
  }),
  response: z.object({ redirectURL: z.string() }),
  errors: ['conflict', 'forbidden', 'upstream_failed'],
});

/** The installation of the app in one GitHub account. */
export const githubInstallation = z.object({
  id: z.string(),
  account: z.string(),
  /** Its settings page on GitHub. */
  settingsURL: z.string(),
  connectedAt: timestamp,
  /** Present while suspended on GitHub. */
  suspendedAt: timestamp.nullable(),
  /** Number of repositories that it offers. */
  repositories: z.number(),
});
export type GithubInstallation = z.infer<typeof githubInstallation>;

export const listGithubInstallations = endpoint({
  method: 'GET',
  path: '/v2/integrations/github/installations',
  summary: 'Lists the connected GitHub accounts by name.',
  scope: 'organization',
  permission: 'manage:integrations',
  response: z.array(githubInstallation),
});

export const disconnectGithub = endpoint({
  method: 'DELETE',
  path: '/v2/integrations/github/installations/:installationId',
  summary: 'Disconnects a GitHub account and uninstalls the app there. Imported data is kept.',
  scope: 'organization',
  permission: 'manage:integrations',
  params: z.strictObject({ installationId: boundedText(20).regex(/^\d+$/, { error: 'must be a number' }) }),
  response: z.null(),
  errors: ['not_found'],
});
