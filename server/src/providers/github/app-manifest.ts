import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import { hostId } from './shapes.ts';

/** The URLs of a GitHub server: web interface and API. */
export interface GithubUrls {
  url: string;
  apiUrl: string;
}

/** The credentials of an app from its creation on GitHub. */
export interface AppSettings {
  appId: string;
  slug: string;
  privateKey: string;
  clientId: string;
  clientSecret: string;
  webhookSecret: string;
}

/**
 * The manifest of the app for GitHub: permissions, events and callback URLs. `doneURL`: the redirect after the creation
 * of the app.
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
    organization_administration: 'read',
    organization_copilot_metrics: 'read',
    members: 'read',
    checks: 'read',
    statuses: 'write',
    security_events: 'read',
    vulnerability_alerts: 'read',
    secret_scanning_alerts: 'read',
  },
  default_events: [
    ...['push', 'delete', 'pull_request', 'pull_request_review', 'repository'],
    ...['branch_protection_rule', 'repository_ruleset'],
    ...['member', 'membership', 'organization', 'team', 'team_add'],
    ...['code_scanning_alert', 'dependabot_alert', 'secret_scanning_alert'],
  ],
});

/** The page to create an app on GitHub, for an organization or for the own account if it is empty. */
export function newAppURL({ url }: GithubUrls, organization: string, state: string): string {
  const settings = organization === '' ? '/settings' : `/organizations/${encodeURIComponent(organization)}/settings`;
  const address = new URL(`${url}${settings}/apps/new`);
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

/** Exchanges the single-use code of the redirect for the app credentials. Throws HostRefused for an invalid code. */
export async function convertManifest({ apiUrl }: GithubUrls, code: string): Promise<AppSettings> {
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
