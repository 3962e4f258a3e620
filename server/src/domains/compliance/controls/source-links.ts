import type { SourceId } from '@sightline/evidence/controls/sources.ts';

/** The page on which a data source is connected; null if no action is possible. */
export const sourceLinks: Readonly<Record<SourceId | 'settings' | 'time', string | null>> = {
  repositories: '/organization/repositories',
  pushes: '/integrations/source-code-management',
  pull_requests: '/integrations/source-code-management',
  identities: '/organization/members',
  members: '/organization/members',
  host_access: '/integrations/source-code-management',
  protection: '/integrations/source-code-management',
  checks: '/integrations/source-code-management',
  tickets: '/integrations/issue-trackers',
  scans: '/integrations/security-scanners',
  findings: '/vulnerabilities',
  waivers: '/waivers',
  tools: '/policies',
  presence: '/organization/members',
  attribution: '/integrations/source-code-management',
  access_reviews: '/evidence/access-reviews',
  digests: null,
  ledger: '/ledger',
  settings: '/policies',
  time: null,
};
