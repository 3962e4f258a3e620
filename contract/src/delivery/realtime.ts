import type { Notification } from './notifications.ts';

/** Path of the socket connection and its namespaces (spec 7). Names are exact, including slashes. */
export const realtimePath = '/api/v2/ws';
export const namespaces = [
  '/api/account/',
  '/auth0mgm',
  '/user',
  '/project',
  '/notifications',
  '/ide/context',
] as const;
export type Namespace = (typeof namespaces)[number];

/**
 * Change notices of the server. They contain IDs, not documents, except `newNotification`; pages refetch what they
 * show.
 * `orgRepos`: repositories, their imports and metadata. `orgMembers`: members and invitations.
 * `orgSettings`: the name of the organization, archiving and restoring. `orgEvents`: new timeline events.
 * `orgIntegrations`: connections. `orgFindings`: findings and decisions on them.
 * `orgScans`: a scan progressed or ended. `orgTools`: the tool inventory. `orgAgents`: telemetry of agents arrived.
 * `orgAudit`: audit log entries without another notice, such as sign-ins and exports.
 * `orgWebhooks`: outgoing webhooks and deliveries. `orgLedger`: anchors and their receipts.
 * `orgPolicies`: policies and control evaluations. `orgWaivers`: waivers requested or decided.
 * `orgDigests`: commit digests created or reviewed. `orgEvidence`: evaluation progress, results and activity in auditor
 * portals.
 * `extStatus`: extensions connected or disconnected. `userStatus`: the same for that person, and the repository open in
 * the editor.
 * `newNotification`: to each recipient, the newest notifications as in the inbox.
 * `notificationsChanged`: to the person who marked notifications. `currentProject`: the editor opened another
 * repository.
 * `listProjects`: a repository was enabled or disabled.
 */
export interface ChangeNotices {
  orgRepos: { repositoryId?: string };
  orgMembers: { accountId?: string };
  orgSettings: Record<string, never>;
  orgEvents: { count: number };
  orgIntegrations: { provider: string };
  orgFindings: { repositoryId?: string; findingId?: string };
  orgScans: { repositoryId: string; scanId: string };
  orgAudit: Record<string, never>;
  orgTools: Record<string, never>;
  orgAgents: Record<string, never>;
  orgWebhooks: { webhookId: string };
  orgLedger: Record<string, never>;
  orgEvidence: { controlId?: string; snapshotId?: string; portalId?: string };
  orgDigests: { digestId?: string };
  orgPolicies: { policyId?: string };
  orgWaivers: Record<string, never>;
  extStatus: { accountIds: string[] };
  userStatus: { accountId: string };
  newNotification: Notification;
  notificationsChanged: Record<string, never>;
  listProjects: Record<string, never>;
  currentProject: { repositoryId: string };
}
export type ChangeNoticeName = keyof ChangeNotices;

/** The namespace of each change notice. */
export const changeNoticeNamespace: Record<ChangeNoticeName, Namespace> = {
  orgRepos: '/auth0mgm',
  orgMembers: '/auth0mgm',
  orgSettings: '/auth0mgm',
  orgEvents: '/auth0mgm',
  orgIntegrations: '/auth0mgm',
  orgFindings: '/auth0mgm',
  orgScans: '/auth0mgm',
  orgAudit: '/auth0mgm',
  orgTools: '/auth0mgm',
  orgAgents: '/auth0mgm',
  orgWebhooks: '/auth0mgm',
  orgLedger: '/auth0mgm',
  orgEvidence: '/auth0mgm',
  orgDigests: '/auth0mgm',
  orgPolicies: '/auth0mgm',
  orgWaivers: '/auth0mgm',
  extStatus: '/user',
  userStatus: '/user',
  newNotification: '/notifications',
  notificationsChanged: '/notifications',
  listProjects: '/project',
  currentProject: '/project',
};
