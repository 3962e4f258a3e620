import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import { hostId } from './shapes.ts';

/** Where a GitHub is: for people, and its API. */
export interface GithubPlace {
  url: string;
  apiUrl: string;
}

/** What makes an app ours, as GitHub answered when it was made. */
export interface AppSettings {
  appId: string;
  slug: string;
  privateKey: string;
  clientId: string;
  clientSecret: string;
  webhookSecret: string;
}

/**
 * The app we need, in GitHub's words: what it may read, that it may set statuses and comment on pull requests, what it is told of, and where people and webhooks come back to.
 * `doneURL`: where the browser goes once the app is made.
 */
export const appManifest = (publicURL: string, name: string, doneURL: string): object => ({
  name,
  url: publicURL,
  hook_attributes: { url: `${publicURL}/api/webhooks/github`, active: true },
  redirect_url: doneURL,
  callback_urls: [`${publicURL}/_/integrations/github`],
  request_oauth_on_install: true,
  setup_on_update: true,
  public: false,
  default_permissions: {
    metadata: 'read',
    contents: 'read',
    pull_requests: 'write',
    issues: 'read',
    administration: 'read',
    checks: 'read',
    statuses: 'write',
    security_events: 'read',
    vulnerability_alerts: 'read',
    secret_scanning_alerts: 'read',
  },
  default_events: [
    ...['push', 'delete', 'pull_request', 'pull_request_review', 'repository'],
    ...['branch_protection_rule', 'repository_ruleset'],
    ...['code_scanning_alert', 'dependabot_alert', 'secret_scanning_alert'],
  ],
});

/** Where a person makes an app on GitHub: for an organization there, or for themselves. */
export function newAppURL({ url }: GithubPlace, organization: string, state: string): string {
  const whose = organization === '' ? '/settings' : `/organizations/${encodeURIComponent(organization)}/settings`;
  const address = new URL(`${url}${whose}/apps/new`);
  address.searchParams.set('state', state);
  return address.href;
}

const converted = z.object({
  id: hostId,
  slug: z.string().min(1),
  pem: z.string().min(1),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  webhook_secret: z.string().min(1),
});

/** Trades the code that GitHub sent the browser back with, good for an hour and once. Throws HostRefused where it is not. */
export async function convertManifest({ apiUrl }: GithubPlace, code: string): Promise<AppSettings> {
  const answer = await fetch(`${apiUrl}/app-manifests/${encodeURIComponent(code)}/conversions`, {
    method: 'POST',
    redirect: 'error',
    headers: { accept: 'application/vnd.github+json', 'user-agent': 'sightline' },
    signal: AbortSignal.timeout(30_000),
  });
  if (answer.status >= 400 && answer.status < 500) {
    throw new HostRefused(answer.status, `GitHub answered ${answer.status} to the code of a new app`);
  }
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status}`);
  const { id, slug, pem, client_id, client_secret, webhook_secret } = converted.parse(await answer.json());
  return {
    appId: id,
    slug,
    privateKey: pem,
    clientId: client_id,
    clientSecret: client_secret,
    webhookSecret: webhook_secret,
  };
}
