/**
 * What changes together. A read names the topics that its response depends on, a mutation those that it changes. The server
 * announces the `org…` and `…Status` topics by the realtime event of the same name; the others concern one user or one page.
 */
export const topics = [
  'orgRepos',
  'orgMembers',
  'orgSettings',
  'orgIntegrations',
  'orgFindings',
  'orgScans',
  'orgAudit',
  'orgTools',
  'orgAgents',
  'orgWebhooks',
  'orgLedger',
  'orgEvidence',
  'orgDigests',
  'orgPolicies',
  'orgWaivers',
  'extStatus',
  'userStatus',
  'auditStreams',
  'notifications',
  'notificationSettings',
  'ownAccount',
  'personalData',
  'portalRequests',
  'portalResults',
  'portalSamples',
  'savedViews',
  'operatorJobs',
] as const;
export type Topic = (typeof topics)[number];
