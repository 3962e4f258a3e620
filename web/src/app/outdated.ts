import { listAccessKeys } from '@sightline/contract/access-keys.ts';
import { getAccessReview, listAccessReviewLines, listAccessReviews } from '@sightline/contract/access-reviews.ts';
import { listAlertReadings } from '@sightline/contract/alerts.ts';
import { getAuditFilters, listAudit } from '@sightline/contract/audit.ts';
import { getChange, listChanges } from '@sightline/contract/changes.ts';
import { listContributorMerges } from '@sightline/contract/contributor-merges.ts';
import { listContributors } from '@sightline/contract/contributors.ts';
import {
  getControl,
  getControlSample,
  getControlsOverview,
  getControlTask,
  listControlRows,
  listControlRuns,
  listControls,
} from '@sightline/contract/control-runs.ts';
import { getDigest, listDigests } from '@sightline/contract/digests.ts';
import type { Endpoint } from '@sightline/contract/endpoint.ts';
import { listErasures } from '@sightline/contract/erasures.ts';
import { listLeave } from '@sightline/contract/exceptions.ts';
import {
  getExporter,
  getExporterDelivery,
  listExporterDeliveries,
  listExporters,
} from '@sightline/contract/exporters.ts';
import { listExtensions } from '@sightline/contract/extensions.ts';
import {
  getFinding,
  getFindingNeighbours,
  getFindingStats,
  listFindingFilter,
  listFindings,
} from '@sightline/contract/findings.ts';
import { getGithubStatus, listGithubInstallations } from '@sightline/contract/github.ts';
import { getHostConnection } from '@sightline/contract/host-connections.ts';
import { getCheckmarx, listCheckmarxProjects, listIntegrations } from '@sightline/contract/integrations.ts';
import { getLedger } from '@sightline/contract/ledger.ts';
import { listAnchorAttempts, listAnchors } from '@sightline/contract/ledger-anchors.ts';
import { getMembersSummary, listMembers } from '@sightline/contract/members.ts';
import { getOrganization, listOrganizations } from '@sightline/contract/organizations.ts';
import {
  getOutgoingDelivery,
  getOutgoingWebhook,
  listOutgoingDeliveries,
  listOutgoingWebhooks,
} from '@sightline/contract/outgoing-webhooks.ts';
import { getPoliciesStatus, getPolicy, listPolicies } from '@sightline/contract/policies.ts';
import { getUserStatus } from '@sightline/contract/presence.ts';
import { getPullRequest, getPullRequestsMeta, listPullRequests } from '@sightline/contract/pull-requests.ts';
import type { NewsName } from '@sightline/contract/realtime.ts';
import {
  getRepository,
  getRepositoryById,
  listProviderRepos,
  listRepositories,
} from '@sightline/contract/repositories.ts';
import { getRoom, listRooms } from '@sightline/contract/rooms.ts';
import { getScan, listScans } from '@sightline/contract/scans.ts';
import { getSnapshot, listSnapshots } from '@sightline/contract/snapshots.ts';
import { getStatusCheck } from '@sightline/contract/status-checks.ts';
import {
  getTool,
  listToolDetections,
  listToolFilters,
  listToolPeople,
  listToolProjects,
  listTools,
} from '@sightline/contract/tools.ts';

// Every change is an entry of the audit log.
const audit = [listAudit, getAuditFilters] as const;

/**
 * Which answers a piece of news makes old. Fetched with the first news: it names half of the API, which no first screen
 * needs. `orgEvents` is not here: the timeline must not move under its reader, so it offers newer events itself
 * (spec 2.6).
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
    listAccessReviewLines,
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
    listAlertReadings,
  ],
  orgFindings: [
    ...audit,
    listFindings,
    listFindingFilter,
    getFindingStats,
    getFinding,
    getFindingNeighbours,
    listLeave,
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
    listRooms,
    getRoom,
    listAccessReviews,
    getAccessReview,
    listAccessReviewLines,
    listControls,
    getControlsOverview,
    getControl,
    listControlRuns,
    listControlRows,
    getControlSample,
    getControlTask,
    listSnapshots,
    getSnapshot,
    listExporters,
    getExporter,
    listExporterDeliveries,
    getExporterDelivery,
  ],
  orgPolicies: [...audit, listPolicies, getPolicy, getPoliciesStatus, listTools, listToolFilters, getTool],
  orgExceptions: [...audit, listLeave],
  orgAudit: audit,
  // Of anybody; one's own is told by name, since the colleagues of five hundred come and go all day.
  extStatus: [listContributors],
  userStatus: [getUserStatus, listExtensions],
} as const satisfies Partial<Record<NewsName, readonly Endpoint[]>>;
