import type { Notification } from './notifications.ts';

/** Where the socket is: path of the connection and its namespaces (spec 7). Names are exact, slashes included. */
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
 * What the server tells. Ids travel, never documents, but for `newNotification`: a page that cares asks again.
 * `orgRepos` repositories, their imports and their facts; `orgMembers` members and invitations;
 * `orgSettings` the organization itself: its name, or that it was archived or restored; `orgEvents` the timeline grew;
 * `orgIntegrations` a connection changed; `orgFindings` findings or what was decided about them;
 * `orgScans` a scan goes on or ended; `orgTools` the inventory of tools changed;
 * `orgAudit` the audit log grew by what no other news tells of: sign-ins, exports;
 * `orgWebhooks` an outgoing webhook changed, or something was sent there;
 * `orgLedger` an anchor of the ledger changed, or a checkpoint was left there;
 * `orgPolicies` a policy changed, or a control was evaluated again; `orgExceptions` leave to break a control was asked for or
 * decided;
 * `orgDigests` commit digests were made or reviewed; `orgEvidence` a control is being evaluated, or was, or
 * something happened in an auditor portal;
 * `extStatus` whose extensions connected or disconnected; `userStatus` the same to that person, also for what the
 * editor has open; `newNotification` to each person it is for, the notification as their inbox has it, the latest few of many;
 * `notificationsChanged` to whoever marked some of theirs; `currentProject` it opened another repository;
 * `listProjects` a repository was enabled or disabled.
 */
export interface News {
  orgRepos: { repositoryId?: string };
  orgMembers: { accountId?: string };
  orgSettings: Record<string, never>;
  orgEvents: { count: number };
  orgIntegrations: { provider: string };
  orgFindings: { repositoryId?: string; findingId?: string };
  orgScans: { repositoryId: string; scanId: string };
  orgAudit: Record<string, never>;
  orgTools: Record<string, never>;
  orgWebhooks: { webhookId: string };
  orgLedger: Record<string, never>;
  orgEvidence: { controlId?: string; snapshotId?: string; portalId?: string };
  orgDigests: { digestId?: string };
  orgPolicies: { policyId?: string };
  orgExceptions: Record<string, never>;
  extStatus: { accountIds: string[] };
  userStatus: { accountId: string };
  newNotification: Notification;
  notificationsChanged: Record<string, never>;
  listProjects: Record<string, never>;
  currentProject: { repositoryId: string };
}
export type NewsName = keyof News;

/** Which namespace carries which news. */
export const newsNamespace: Record<NewsName, Namespace> = {
  orgRepos: '/auth0mgm',
  orgMembers: '/auth0mgm',
  orgSettings: '/auth0mgm',
  orgEvents: '/auth0mgm',
  orgIntegrations: '/auth0mgm',
  orgFindings: '/auth0mgm',
  orgScans: '/auth0mgm',
  orgAudit: '/auth0mgm',
  orgTools: '/auth0mgm',
  orgWebhooks: '/auth0mgm',
  orgLedger: '/auth0mgm',
  orgEvidence: '/auth0mgm',
  orgDigests: '/auth0mgm',
  orgPolicies: '/auth0mgm',
  orgExceptions: '/auth0mgm',
  extStatus: '/user',
  userStatus: '/user',
  newNotification: '/notifications',
  notificationsChanged: '/notifications',
  listProjects: '/project',
  currentProject: '/project',
};
