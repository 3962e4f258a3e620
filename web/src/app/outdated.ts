import {
  getAccessReview,
  listAccessReviewItems,
  listAccessReviews,
} from '@sightline/contract/compliance/access-reviews.ts';
import { getPortal, listPortals } from '@sightline/contract/compliance/auditor-portals.ts';
import { getChange, listChanges } from '@sightline/contract/compliance/changes.ts';
import {
  getControl,
  getControlSample,
  getControlsOverview,
  getControlTask,
  listControlRows,
  listControlRuns,
  listControls,
} from '@sightline/contract/compliance/control-runs.ts';
import { getDigest, listDigests } from '@sightline/contract/compliance/digests.ts';
import {
  getEvidenceDelivery,
  getEvidenceDestination,
  listEvidenceDeliveries,
  listEvidenceDestinations,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import { getPoliciesStatus, getPolicy, listPolicies } from '@sightline/contract/compliance/policies.ts';
import { getSnapshot, listSnapshots } from '@sightline/contract/compliance/snapshots.ts';
import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import {
  getOutgoingDelivery,
  getOutgoingWebhook,
  listOutgoingDeliveries,
  listOutgoingWebhooks,
} from '@sightline/contract/delivery/outgoing-webhooks.ts';
import type { ChangeNoticeName } from '@sightline/contract/delivery/realtime.ts';
import { listAccessKeys } from '@sightline/contract/identity/access-keys.ts';
import { listExtensions } from '@sightline/contract/identity/extensions.ts';
import { listAnchorAttempts, listAnchors } from '@sightline/contract/ledger/anchors.ts';
import { getLedger } from '@sightline/contract/ledger/ledger.ts';
import { getAuditFilters, listAudit } from '@sightline/contract/organization/audit.ts';
import { listErasures } from '@sightline/contract/organization/erasure.ts';
import { getMembersSummary, listMembers } from '@sightline/contract/organization/members.ts';
import { getOrganization, listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { listContributorMerges } from '@sightline/contract/sources/contributor-merges.ts';
import { listContributors } from '@sightline/contract/sources/contributors.ts';
import { getGithubStatus, listGithubInstallations } from '@sightline/contract/sources/github.ts';
import { getHostConnection } from '@sightline/contract/sources/host-connections.ts';
import { getCheckmarx, listCheckmarxProjects, listIntegrations } from '@sightline/contract/sources/integrations.ts';
import { getPullRequest, getPullRequestsMeta, listPullRequests } from '@sightline/contract/sources/pull-requests.ts';
import {
  getRepository,
  getRepositoryById,
  listProviderRepos,
  listRepositories,
} from '@sightline/contract/sources/repositories.ts';
import { getStatusCheck } from '@sightline/contract/sources/status-checks.ts';
import { getUserStatus } from '@sightline/contract/tools/presence.ts';
import {
  getTool,
  listToolDetections,
  listToolFilters,
  listToolPeople,
  listToolProjects,
  listTools,
} from '@sightline/contract/tools/tools.ts';
import { listAlertImports } from '@sightline/contract/vulnerabilities/alerts.ts';
import { listWaivers } from '@sightline/contract/vulnerabilities/exceptions.ts';
import {
  getFinding,
  getFindingNeighbors,
  getFindingStats,
  listFindingFilter,
  listFindings,
} from '@sightline/contract/vulnerabilities/findings.ts';
import { getScan, listScans } from '@sightline/contract/vulnerabilities/scans.ts';

// Every change is an audit log entry.
const audit = [listAudit, getAuditFilters] as const;

/**
 * The queries that each change notice invalidates. Loaded with the first notice, since it imports half of the API.
 * `orgEvents` is absent: the timeline must not move while it is read, so it offers newer events itself (spec 2.6).
 */
export const outdated = {
  orgRepos: [
    listRepositories,
    getRepository,
    getRepositoryById,
    listProviderRepos,
    listPullRequests,
    getPullRequestsMeta,
    getPullRequest,
    listChanges,
    getChange,
    listContributors,
    listContributorMerges,
    listIntegrations,
    ...audit,
  ],
  orgMembers: [
    listErasures,
    listAccessReviewItems,
    ...audit,
    listOrganizations,
    getOrganization,
    listMembers,
    getMembersSummary,
  ],
  orgSettings: [...audit, listOrganizations, getOrganization, listAccessKeys],
  orgIntegrations: [
    ...audit,
    getGithubStatus,
    listGithubInstallations,
    getHostConnection,
    getStatusCheck,
    getRepository,
    listProviderRepos,
    listIntegrations,
    getCheckmarx,
    listCheckmarxProjects,
    listAlertImports,
  ],
  orgFindings: [
    ...audit,
    listFindings,
    listFindingFilter,
    getFindingStats,
    getFinding,
    getFindingNeighbors,
    listWaivers,
    listRepositories,
    getRepository,
    getRepositoryById,
  ],
  orgScans: [listScans, getScan],
  orgWebhooks: [...audit, listOutgoingWebhooks, getOutgoingWebhook, listOutgoingDeliveries, getOutgoingDelivery],
  orgLedger: [getLedger, listAnchors, listAnchorAttempts],
  orgTools: [listTools, listToolFilters, getTool, listToolDetections, listToolPeople, listToolProjects],
  orgDigests: [...audit, listDigests, getDigest],
  orgEvidence: [
    ...audit,
    listPortals,
    getPortal,
    listAccessReviews,
    getAccessReview,
    listAccessReviewItems,
    listControls,
    getControlsOverview,
    getControl,
    listControlRuns,
    listControlRows,
    getControlSample,
    getControlTask,
    listSnapshots,
    getSnapshot,
    listEvidenceDestinations,
    getEvidenceDestination,
    listEvidenceDeliveries,
    getEvidenceDelivery,
  ],
  orgPolicies: [...audit, listPolicies, getPolicy, getPoliciesStatus, listTools, listToolFilters, getTool],
  orgExceptions: [...audit, listWaivers],
  orgAudit: audit,
  // Status changes of any member. The user's own status has a separate notice, since other members connect often.
  extStatus: [listContributors],
  userStatus: [getUserStatus, listExtensions],
} as const satisfies Partial<Record<ChangeNoticeName, readonly Endpoint[]>>;
