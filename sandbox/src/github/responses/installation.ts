import type { Host, Installation, Permissions } from '../host.ts';
import { accountJson, nodeId, timeText } from './account.ts';

/** The permissions that the initial app requests. */
export const permissions: Permissions = {
  metadata: 'read',
  contents: 'read',
  pull_requests: 'write',
  issues: 'read',
  actions: 'read',
  members: 'read',
  security_events: 'read',
  vulnerability_alerts: 'read',
  secret_scanning_alerts: 'read',
  administration: 'read',
  organization_administration: 'read',
  organization_copilot_metrics: 'read',
  checks: 'read',
  statuses: 'write',
};

/** The webhook events of the initial app. */
export const events = [
  ...['push', 'pull_request', 'pull_request_review', 'repository', 'branch_protection_rule', 'repository_ruleset'],
  ...['code_scanning_alert', 'dependabot_alert', 'secret_scanning_alert', 'member'],
];

export const appJson = ({ url, api, app }: Host) => ({
  id: app.appId,
  slug: app.slug,
  client_id: app.clientId,
  node_id: nodeId('Integration', app.appId),
  owner: accountJson({ url, api }, { id: 1, login: 'sandbox-apps', type: 'Organization' }),
  name: 'Sightline (sandbox)',
  description: '',
  external_url: url,
  html_url: `${url}/github-apps/${app.slug}`,
  created_at: '2020-01-01T00:00:00Z',
  updated_at: '2020-01-01T00:00:00Z',
  permissions: app.permissions,
  events: app.events,
});

export const installationJson = (host: Host, installation: Installation) => ({
  id: installation.id,
  client_id: host.app.clientId,
  account: accountJson(host, installation.account),
  repository_selection: installation.selection,
  access_tokens_url: `${host.api}/app/installations/${installation.id}/access_tokens`,
  repositories_url: `${host.api}/installation/repositories`,
  html_url: `${host.url}/settings/installations/${installation.id}`,
  app_id: host.app.appId,
  app_slug: host.app.slug,
  target_id: installation.account.id,
  target_type: installation.account.type,
  permissions: installation.permissions,
  events: host.app.events,
  created_at: timeText(installation.createdAt),
  updated_at: timeText(installation.updatedAt),
  single_file_name: null,
  has_multiple_single_files: false,
  single_file_paths: [] as string[],
  suspended_by: installation.suspendedBy === null ? null : accountJson(host, installation.suspendedBy),
  suspended_at: installation.suspendedAt === null ? null : timeText(installation.suspendedAt),
});
