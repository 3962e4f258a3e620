import type { FastifyInstance } from 'fastify';
import type { Host } from './host.ts';
import { refuse } from './refusal.ts';
import { accessOf, findRepository } from './tokens.ts';

/**
 * Rejects requests without the required permission, with GitHub's messages. A repository without access returns 404
 * first.
 */
export const requirePermissions = (server: FastifyInstance, host: Host): void => {
  server.addHook('preHandler', async (request) => {
    const path = /^\/api\/v3\/((?:repos\/[^/]+|orgs)\/[^/]+)\/([^?]*)/.exec(request.url);
    const needed = path?.[1]?.startsWith('orgs/') ? organizationNeeds : needs;
    const requiredPermissions = path && needed.find(([pattern]) => pattern.test(path[2] ?? ''))?.[1];
    if (!requiredPermissions) return;
    if (needed === needs) {
      if ((request.params as { owner?: string }).owner === undefined) return;
      findRepository(host, request);
    }
    const access = accessOf(host, request);
    const writes = request.method !== 'GET' && request.method !== 'HEAD';
    const isGiven = (level: string | undefined) => (writes ? level === 'write' : level !== undefined);
    if (
      access.kind !== 'installation' ||
      requiredPermissions.some((name) => isGiven(access.installation.permissions[name]))
    )
      return;
    const accepted = requiredPermissions.map((name) => `${name}=${writes ? 'write' : 'read'}`).join('; ');
    throw refuse(403, 'Resource not accessible by integration', { 'x-accepted-github-permissions': accepted });
  });
};

/** The permission that each webhook event requires. */
export const permissionOf: Readonly<Record<string, string>> = {
  push: 'contents',
  pull_request: 'pull_requests',
  pull_request_review: 'pull_requests',
  check_run: 'checks',
  status: 'statuses',
  branch_protection_rule: 'administration',
  repository_ruleset: 'administration',
  member: 'members',
  code_scanning_alert: 'security_events',
  dependabot_alert: 'vulnerability_alerts',
  secret_scanning_alert: 'secret_scanning_alerts',
};

/** One of the permissions is sufficient. The first matching pattern applies. */
const needs: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^branches\/.+\/protection$/, ['administration']],
  [/^commits\/.+\/(check-runs|check-suites)$/, ['checks']],
  [/^commits\/.+\/(status|statuses)$/, ['statuses']],
  [/^statuses\//, ['statuses']],
  [/^commits\/.+\/pulls$/, ['pull_requests']],
  [/^pulls\b/, ['pull_requests']],
  [/^issues\b/, ['issues', 'pull_requests']],
  [/^(activity|branches|commits|compare|contents|git)\b/, ['contents']],
  [/^code-scanning\b/, ['security_events']],
  [/^dependabot\b/, ['vulnerability_alerts']],
  [/^secret-scanning\b/, ['secret_scanning_alerts']],
  [/^(teams|keys)\b/, ['administration']],
];

/** The same for paths of organizations. */
const organizationNeeds: typeof needs = [
  [/^(members|teams)\b/, ['members']],
  [/^installations\b/, ['organization_administration']],
  [/^copilot\/metrics\b/, ['organization_copilot_metrics']],
];
