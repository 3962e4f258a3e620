import type { Subscription } from '#core/topics.ts';
import { changeSubscriptions } from './compliance/changes/subscriptions.ts';
import { evidenceDestinationSubscriptions } from './compliance/evidence-destinations/subscriptions.ts';
import { policySubscriptions } from './compliance/policies/subscriptions.ts';
import { remediationSubscriptions } from './compliance/remediations/subscriptions.ts';
import { chatSubscriptions } from './delivery/chat/subscriptions.ts';
import { notificationSubscriptions } from './delivery/notifications/subscriptions.ts';
import { outgoingWebhookSubscriptions } from './delivery/outgoing-webhooks/subscriptions.ts';
import { auditStreamSubscriptions } from './organization/audit-streams/subscriptions.ts';
import { directorySubscriptions } from './organization/directory/subscriptions.ts';
import { invitationSubscriptions } from './organization/invitations/subscriptions.ts';
import { codeHostSubscriptions } from './sources/code-hosts/subscriptions.ts';
import { contributorSubscriptions } from './sources/contributors/subscriptions.ts';
import { importSubscriptions } from './sources/imports/subscriptions.ts';
import { webhookSubscriptions } from './sources/webhooks/subscriptions.ts';
import { eventSubscriptions } from './timeline/events/subscriptions.ts';
import { agentSessionSubscriptions } from './tools/agent-sessions/subscriptions.ts';
import { presenceSubscriptions } from './tools/presence/subscriptions.ts';
import { toolSubscriptions } from './tools/tools/subscriptions.ts';
import { alertSubscriptions } from './vulnerabilities/alerts/subscriptions.ts';
import { findingSubscriptions } from './vulnerabilities/findings/subscriptions.ts';
import { originSubscriptions } from './vulnerabilities/origins/subscriptions.ts';
import { triageSubscriptions } from './vulnerabilities/triage/subscriptions.ts';

/**
 * Every subscription, in the order in which subscribers of one topic run. That order is the order of locks: compliance locks a
 * branch, findings lock a repository and then the counts of the organization, so they come last.
 */
export const subscriptions: readonly Subscription[] = [
  ...notificationSubscriptions,
  ...outgoingWebhookSubscriptions,
  ...chatSubscriptions,
  ...invitationSubscriptions,
  ...directorySubscriptions,
  ...auditStreamSubscriptions,
  ...eventSubscriptions,
  ...webhookSubscriptions,
  ...importSubscriptions,
  ...codeHostSubscriptions,
  ...policySubscriptions,
  ...changeSubscriptions,
  ...remediationSubscriptions,
  ...evidenceDestinationSubscriptions,
  ...contributorSubscriptions,
  ...presenceSubscriptions,
  ...toolSubscriptions,
  ...agentSessionSubscriptions,
  ...originSubscriptions,
  ...alertSubscriptions,
  ...findingSubscriptions,
  ...triageSubscriptions,
];
