import * as accessKeys from '@sightline/contract/access-keys.ts';
import * as accessReviews from '@sightline/contract/access-reviews.ts';
import * as accounts from '@sightline/contract/accounts.ts';
import * as alerts from '@sightline/contract/alerts.ts';
import * as audit from '@sightline/contract/audit.ts';
import * as auditStreams from '@sightline/contract/audit-streams.ts';
import * as changes from '@sightline/contract/changes.ts';
import * as collected from '@sightline/contract/collected.ts';
import * as contributorMerges from '@sightline/contract/contributor-merges.ts';
import * as contributors from '@sightline/contract/contributors.ts';
import * as controlRuns from '@sightline/contract/control-runs.ts';
import * as digests from '@sightline/contract/digests.ts';
import * as downloads from '@sightline/contract/downloads.ts';
import type { Endpoint } from '@sightline/contract/endpoint.ts';
import * as erasures from '@sightline/contract/erasures.ts';
import * as events from '@sightline/contract/events.ts';
import * as exceptions from '@sightline/contract/exceptions.ts';
import * as explore from '@sightline/contract/explore.ts';
import * as exporters from '@sightline/contract/exporters.ts';
import * as extensions from '@sightline/contract/extensions.ts';
import * as featureFlags from '@sightline/contract/feature-flags.ts';
import * as findings from '@sightline/contract/findings.ts';
import * as github from '@sightline/contract/github.ts';
import * as health from '@sightline/contract/health.ts';
import * as hostConnections from '@sightline/contract/host-connections.ts';
import * as identities from '@sightline/contract/identities.ts';
import * as integrations from '@sightline/contract/integrations.ts';
import * as invitations from '@sightline/contract/invitations.ts';
import * as ledger from '@sightline/contract/ledger.ts';
import * as ledgerAnchors from '@sightline/contract/ledger-anchors.ts';
import * as members from '@sightline/contract/members.ts';
import * as notifications from '@sightline/contract/notifications.ts';
import * as organizationSecurity from '@sightline/contract/organization-security.ts';
import * as organizations from '@sightline/contract/organizations.ts';
import * as outgoingWebhooks from '@sightline/contract/outgoing-webhooks.ts';
import * as passwords from '@sightline/contract/passwords.ts';
import * as pictures from '@sightline/contract/pictures.ts';
import * as policies from '@sightline/contract/policies.ts';
import * as presence from '@sightline/contract/presence.ts';
import * as pullRequests from '@sightline/contract/pull-requests.ts';
import * as repositories from '@sightline/contract/repositories.ts';
import * as roles from '@sightline/contract/roles.ts';
import * as rooms from '@sightline/contract/rooms.ts';
import * as scans from '@sightline/contract/scans.ts';
import * as secondFactors from '@sightline/contract/second-factors.ts';
import * as sessions from '@sightline/contract/sessions.ts';
import * as snapshots from '@sightline/contract/snapshots.ts';
import * as statusChecks from '@sightline/contract/status-checks.ts';
import * as tools from '@sightline/contract/tools.ts';
import * as triage from '@sightline/contract/triage.ts';

/** The nouns of the contract, in the order a reader meets them. */
const nouns: Record<string, Record<string, unknown>> = {
  Accounts: accounts,
  'Login identities': identities,
  Sessions: sessions,
  Passwords: passwords,
  'Second factors': secondFactors,
  Downloads: downloads,
  Pictures: pictures,
  Presence: presence,
  Extensions: extensions,
  Organisations: organizations,
  'Organization security': organizationSecurity,
  Members: members,
  Invitations: invitations,
  Roles: roles,
  GitHub: github,
  'GitLab and Bitbucket': { ...hostConnections, ...statusChecks },
  Integrations: integrations,
  Repositories: repositories,
  'Pull requests': pullRequests,
  Contributors: { ...contributors, ...contributorMerges },
  Vulnerabilities: findings,
  Triage: triage,
  Policies: policies,
  Exceptions: exceptions,
  'Commit digests': digests,
  Scans: scans,
  'Alerts of code hosts': alerts,
  'Access keys': accessKeys,
  'Outgoing webhooks': outgoingWebhooks,
  Events: events,
  Erasures: erasures,
  'Collected about me': collected,
  Explore: explore,
  Tools: tools,
  'Audit log': audit,
  'Audit log streaming': auditStreams,
  Ledger: ledger,
  'Ledger anchors': ledgerAnchors,
  Changes: changes,
  Controls: controlRuns,
  Snapshots: snapshots,
  Exporters: exporters,
  'Auditor rooms': rooms,
  'Access reviews': accessReviews,
  Notifications: notifications,
  'Feature flags': featureFlags,
  Health: health,
};

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value;

export interface Chapter {
  title: string;
  endpoints: Endpoint[];
}

/** Every endpoint the contract names, by noun. */
export const chapters: Chapter[] = Object.entries(nouns).map(([title, module]) => ({
  title,
  endpoints: Object.values(module).filter(isEndpoint),
}));

export const endpoints: Endpoint[] = chapters.flatMap((chapter) => chapter.endpoints);
