import type { FastifyInstance } from 'fastify';
import type { Host } from './host.ts';
import { refuse } from './refusal.ts';
import { accessOf, findRepository } from './tokens.ts';

/** Refuses an installation what it was not given, in the words of GitHub; a repository that it may not see is not found first. */
export const askPermission = (server: FastifyInstance, host: Host): void => {
  server.addHook('preHandler', async (request) => {
    const path = /^\/api\/v3\/repos\/[^/]+\/[^/]+\/([^?]*)/.exec(request.url)?.[1];
    const wanted = path === undefined ? undefined : needs.find(([pattern]) => pattern.test(path))?.[1];
    if (wanted === undefined || (request.params as { owner?: string }).owner === undefined) return;
    findRepository(host, request);
    const access = accessOf(host, request);
    const writes = request.method !== 'GET' && request.method !== 'HEAD';
    const isGiven = (level: string | undefined) => (writes ? level === 'write' : level !== undefined);
    if (access.kind !== 'installation' || wanted.some((name) => isGiven(access.installation.permissions[name]))) return;
    const accepted = wanted.map((name) => `${name}=${writes ? 'write' : 'read'}`).join('; ');
    throw refuse(403, 'Resource not accessible by integration', { 'x-accepted-github-permissions': accepted });
  });
};

/** Which webhooks are only sent to who may read what they tell of. */
export const permissionOf: Readonly<Record<string, string>> = {
  push: 'contents',
  pull_request: 'pull_requests',
  pull_request_review: 'pull_requests',
  check_run: 'checks',
  status: 'statuses',
  branch_protection_rule: 'administration',
  repository_ruleset: 'administration',
  code_scanning_alert: 'security_events',
  dependabot_alert: 'vulnerability_alerts',
  secret_scanning_alert: 'secret_scanning_alerts',
};

/** One of the permissions is enough. The first pattern that fits counts. */
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
];
