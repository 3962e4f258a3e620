import * as accessReviewItems from '@sightline/contract/compliance/access-review-items.ts';
import * as accessReviews from '@sightline/contract/compliance/access-reviews.ts';
import * as agentReconciliation from '@sightline/contract/compliance/agent-reconciliation.ts';
import * as portals from '@sightline/contract/compliance/auditor-portals.ts';
import * as changes from '@sightline/contract/compliance/changes.ts';
import * as controlRows from '@sightline/contract/compliance/control-rows.ts';
import * as controlRuns from '@sightline/contract/compliance/control-runs.ts';
import * as digests from '@sightline/contract/compliance/digests.ts';
import * as destinations from '@sightline/contract/compliance/evidence-destinations.ts';
import * as frameworks from '@sightline/contract/compliance/frameworks.ts';
import * as hostAccess from '@sightline/contract/compliance/host-access.ts';
import * as overdueRemediations from '@sightline/contract/compliance/overdue-remediations.ts';
import * as policies from '@sightline/contract/compliance/policies.ts';
import * as policyChanges from '@sightline/contract/compliance/policy-changes.ts';
import * as portalArchives from '@sightline/contract/compliance/portal-archives.ts';
import * as portalAssertions from '@sightline/contract/compliance/portal-assertions.ts';
import * as portalAttachments from '@sightline/contract/compliance/portal-attachments.ts';
import * as portalChanges from '@sightline/contract/compliance/portal-changes.ts';
import * as portalRecords from '@sightline/contract/compliance/portal-records.ts';
import * as portalRequests from '@sightline/contract/compliance/portal-requests.ts';
import * as portalResults from '@sightline/contract/compliance/portal-results.ts';
import * as portalSamples from '@sightline/contract/compliance/portal-samples.ts';
import * as remediationChanges from '@sightline/contract/compliance/remediation-changes.ts';
import * as remediationTickets from '@sightline/contract/compliance/remediation-tickets.ts';
import * as remediations from '@sightline/contract/compliance/remediations.ts';
import * as snapshots from '@sightline/contract/compliance/snapshots.ts';
import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import * as chat from '@sightline/contract/delivery/chat.ts';
import * as notifications from '@sightline/contract/delivery/notifications.ts';
import * as outgoingWebhooks from '@sightline/contract/delivery/outgoing-webhooks.ts';
import * as accessKeys from '@sightline/contract/identity/access-keys.ts';
import * as accounts from '@sightline/contract/identity/accounts.ts';
import * as extensions from '@sightline/contract/identity/extensions.ts';
import * as featureFlags from '@sightline/contract/identity/feature-flags.ts';
import * as identities from '@sightline/contract/identity/identities.ts';
import * as passwords from '@sightline/contract/identity/passwords.ts';
import * as pictures from '@sightline/contract/identity/pictures.ts';
import * as saml from '@sightline/contract/identity/saml.ts';
import * as secondFactors from '@sightline/contract/identity/second-factors.ts';
import * as sessions from '@sightline/contract/identity/sessions.ts';
import * as ledgerAnchors from '@sightline/contract/ledger/anchors.ts';
import * as ledger from '@sightline/contract/ledger/ledger.ts';
import * as audit from '@sightline/contract/organization/audit.ts';
import * as auditStreams from '@sightline/contract/organization/audit-streams.ts';
import * as demo from '@sightline/contract/organization/demo.ts';
import * as directory from '@sightline/contract/organization/directory.ts';
import * as erasures from '@sightline/contract/organization/erasure.ts';
import * as invitations from '@sightline/contract/organization/invitations.ts';
import * as members from '@sightline/contract/organization/members.ts';
import * as organizationSecurity from '@sightline/contract/organization/organization-security.ts';
import * as organizations from '@sightline/contract/organization/organizations.ts';
import * as people from '@sightline/contract/organization/people.ts';
import * as collected from '@sightline/contract/organization/personal-data.ts';
import * as roles from '@sightline/contract/organization/roles.ts';
import * as health from '@sightline/contract/platform/health.ts';
import * as operator from '@sightline/contract/platform/operator.ts';
import * as contributorMerges from '@sightline/contract/sources/contributor-merges.ts';
import * as contributors from '@sightline/contract/sources/contributors.ts';
import * as github from '@sightline/contract/sources/github.ts';
import * as hostConnections from '@sightline/contract/sources/host-connections.ts';
import * as integrations from '@sightline/contract/sources/integrations.ts';
import * as pullRequests from '@sightline/contract/sources/pull-requests.ts';
import * as repositories from '@sightline/contract/sources/repositories.ts';
import * as statusChecks from '@sightline/contract/sources/status-checks.ts';
import * as trackers from '@sightline/contract/sources/trackers.ts';
import * as eventGroups from '@sightline/contract/timeline/event-groups.ts';
import * as events from '@sightline/contract/timeline/events.ts';
import * as explore from '@sightline/contract/timeline/explore.ts';
import * as agentConfiguration from '@sightline/contract/tools/agent-configuration.ts';
import * as agentSessions from '@sightline/contract/tools/agent-sessions.ts';
import * as copilotUsage from '@sightline/contract/tools/copilot-usage.ts';
import * as downloads from '@sightline/contract/tools/downloads.ts';
import * as editorReports from '@sightline/contract/tools/editor-reports.ts';
import * as presence from '@sightline/contract/tools/presence.ts';
import * as tools from '@sightline/contract/tools/tools.ts';
import * as alerts from '@sightline/contract/vulnerabilities/alert-imports.ts';
import * as findingEdits from '@sightline/contract/vulnerabilities/finding-edits.ts';
import * as findingTickets from '@sightline/contract/vulnerabilities/finding-tickets.ts';
import * as findings from '@sightline/contract/vulnerabilities/findings.ts';
import * as scans from '@sightline/contract/vulnerabilities/scans.ts';
import * as triage from '@sightline/contract/vulnerabilities/triage.ts';
import * as waivers from '@sightline/contract/vulnerabilities/waivers.ts';

/** The modules of the contract in reading order, by title. */
const modules: Record<string, Record<string, unknown>> = {
  Accounts: accounts,
  'Login identities': identities,
  Sessions: sessions,
  'SAML login': saml,
  Passwords: passwords,
  'Second factors': secondFactors,
  Downloads: downloads,
  Pictures: pictures,
  Presence: presence,
  Extensions: extensions,
  Organizations: organizations,
  'Organization security': organizationSecurity,
  Members: { ...members, ...people },
  Invitations: invitations,
  Directory: directory,
  Roles: roles,
  GitHub: github,
  'Other code hosts': { ...hostConnections, ...statusChecks },
  'Issue trackers': trackers,
  Integrations: integrations,
  Repositories: repositories,
  'Pull requests': pullRequests,
  Contributors: { ...contributors, ...contributorMerges },
  Vulnerabilities: findings,
  Triage: triage,
  'Finding edits': { ...findingEdits, ...findingTickets },
  Waivers: waivers,
  Policies: policies,
  'Policy changes': policyChanges,
  'Commit digests': digests,
  Scans: scans,
  'Alerts of code hosts': alerts,
  'Access keys': accessKeys,
  'Outgoing webhooks': outgoingWebhooks,
  Chat: chat,
  Events: events,
  Demo: demo,
  Erasures: erasures,
  'Your data': collected,
  Explore: { ...explore, ...eventGroups },
  Tools: { ...tools, ...editorReports },
  'Agent sessions': agentSessions,
  'Agent configuration': agentConfiguration,
  'GitHub Copilot usage': copilotUsage,
  'Audit log': audit,
  'Audit log streaming': auditStreams,
  Ledger: ledger,
  'Ledger anchors': ledgerAnchors,
  Changes: changes,
  'Agent reconciliation': agentReconciliation,
  Controls: { ...controlRuns, ...controlRows },
  Frameworks: frameworks,
  Remediation: remediations,
  'Remediation changes': { ...remediationChanges, ...remediationTickets },
  'Overdue remediations': overdueRemediations,
  Snapshots: snapshots,
  EvidenceDestinations: destinations,
  'Auditor portals': {
    ...portals,
    ...portalArchives,
    ...portalAssertions,
    ...portalAttachments,
    ...portalChanges,
    ...portalRecords,
    ...portalRequests,
    ...portalResults,
    ...portalSamples,
  },
  'Access reviews': { ...accessReviews, ...accessReviewItems },
  'Access on code hosts': hostAccess,
  Notifications: notifications,
  'Feature flags': featureFlags,
  Operator: operator,
  Health: health,
};

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value;

export interface Chapter {
  title: string;
  endpoints: Endpoint[];
}

/** All endpoints of the contract, by module. */
export const chapters: Chapter[] = Object.entries(modules).map(([title, module]) => ({
  title,
  endpoints: Object.values(module).filter(isEndpoint),
}));

export const endpoints: Endpoint[] = chapters.flatMap((chapter) => chapter.endpoints);
