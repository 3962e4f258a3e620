import { pathOf } from '@sightline/contract/core/client.ts';
import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { defaultNotificationChannels } from '@sightline/contract/delivery/notification-types.ts';
import { portalCookieName } from '#core/auditor-portals.ts';
import { newId } from '#core/ids.ts';
import type { TestServer } from '#testing/server.ts';
import { anchorPartyOf, unconfirmedAddress } from './anchor.ts';
import { digestBodySha256 } from './digest.ts';
import { erasablePersonName } from './erasure.ts';
import { type SeededFactors, seededPassword, seededRecoveryCode } from './factors.ts';
import type { Seed, SeededTriage } from './seeded.ts';

export interface RequestInput {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** The uploaded content. */
  file?: unknown;
}

/** IDs of an organization's items in a request: of the own organization, of another one, or nonexistent ones. */
export type RequestNames = Pick<
  Seed,
  | 'repositoryId'
  | 'fullName'
  | 'pullRequest'
  | 'contextId'
  | 'installationId'
  | 'ownerEventId'
  | 'invitationId'
  | 'auditId'
  | 'findingId'
  | 'scanId'
  | 'accessKeyId'
  | 'viewId'
  | 'notificationId'
  | 'taskId'
  | 'changeId'
  | 'snapshotId'
  | 'webhookId'
  | 'anchorId'
  | 'domain'
  | 'streamId'
  | 'destinationId'
  | 'evidenceDeliveryId'
  | 'unsentId'
  | 'erasableId'
  | 'erasureId'
  | 'policyId'
  | 'reviewId'
  | 'decidedReviewId'
  | 'endedPolicyId'
  | 'controlWaiverId'
  | 'digestId'
  | 'portalId'
  | 'requestId'
  | 'ownControlWaiverId'
  | 'deliveryId'
  | 'extensionId'
  | 'projectId'
  | 'toolId'
  | 'ownerPersonId'
  | 'otherPersonId'
  | 'mergeId'
  | keyof SeededTriage
  | keyof SeededFactors
> & { orgId: string; memberId: string; formerId: string };

export const requestNamesOf = (seed: Seed): RequestNames => ({
  ...seed,
  orgId: seed.org.id,
  memberId: seed.contributor.id,
  formerId: seed.deactivated.id,
});

/** Returns IDs that do not exist. */
export const unknownRequestNames = (): RequestNames => ({
  orgId: newId(),
  repositoryId: newId(),
  ownerPersonId: newId(),
  otherPersonId: newId(),
  mergeId: newId(),
  fullName: 'nobody/nothing',
  pullRequest: 42,
  contextId: newId(),
  projectId: newId(),
  toolId: 'action:nobody/nothing',
  installationId: '999999999999',
  ownerEventId: newId(),
  invitationId: newId(),
  memberId: newId(),
  formerId: newId(),
  auditId: newId(),
  findingId: newId(),
  scanId: newId(),
  accessKeyId: newId(),
  viewId: newId(),
  notificationId: newId(),
  taskId: newId(),
  changeId: newId(),
  snapshotId: newId(),
  webhookId: newId(),
  anchorId: newId(),
  domain: 'nobody.example',
  streamId: newId(),
  destinationId: newId(),
  evidenceDeliveryId: newId(),
  unsentId: newId(),
  erasableId: newId(),
  erasureId: newId(),
  policyId: newId(),
  reviewId: newId(),
  decidedReviewId: newId(),
  endedPolicyId: newId(),
  controlWaiverId: newId(),
  digestId: newId(),
  portalId: newId(),
  requestId: newId(),
  ownControlWaiverId: newId(),
  deliveryId: newId(),
  extensionId: newId(),
  otherFindingId: newId(),
  sourceId: newId(),
  findingWaiverId: newId(),
  ownFindingWaiverId: newId(),
  sessionId: newId(),
  passkeyId: newId(),
  newPasskey: {},
  totpSetup: 'invented',
  totpCode: () => '000000',
});

const gitlab = () => ({ params: { provider: 'gitlab' } });
const repository = ({ fullName }: RequestNames) => ({ provider: 'github', repoPath: fullName });
const nothing = (): RequestInput => ({});

/** An example request for each endpoint that succeeds for the owner, by method and path. */
export const exampleRequests: Record<string, (names: RequestNames) => RequestInput> = {
  'GET /health/live': nothing,
  'GET /health/ready': nothing,
  'GET /v2/flags/frontend': () => ({ query: { appName: 'seed', 'properties[plan]': 'free' } }),
  'POST /v2/flags/frontend': () => ({ body: { context: { appName: 'seed', userId: 'somebody else' } } }),
  'POST /v2/flags/frontend/client/metrics': () => ({
    body: {
      appName: 'seed',
      bucket: {
        start: '2026-03-01T12:00:00Z',
        stop: '2026-03-01T12:03:00Z',
        toggles: { release2: { yes: 2, no: 1, variants: {} } },
      },
    },
  }),
  'POST /v2/flags/frontend/client/register': () => ({ body: { appName: 'seed', sdkVersion: 'seed:1' } }),
  'GET /account/me': nothing,
  'POST /v2/auth/register': () => ({ body: { alias: 'ada' } }),
  'PUT /account/me/tips/hide': nothing,
  'PUT /account/me/onboarding/complete': nothing,
  'POST /v2/auth/public/verification': () => ({ body: { userId: 'nobody' } }),
  'GET /v2/auth/public/connections': nothing,
  'GET /v2/auth/identities': nothing,
  'GET /v2/auth/similar-accounts': nothing,
  'POST /v2/auth/link': () => ({ body: { connection: 'Username-Password-Authentication', path: '/' } }),
  'PUT /v2/auth/unlink/:id': () => ({ params: { id: 'github|nobody' } }),
  'POST /account/me/description': () => ({ body: { displayName: 'Olga the Owner', company: 'Quokka' } }),
  'GET /v2/account/sessions': nothing,
  'DELETE /v2/account/sessions/:sessionId': ({ sessionId }) => ({ params: { sessionId } }),
  'DELETE /v2/account/sessions': nothing,
  'GET /v2/account/reauthentication': nothing,
  'POST /v2/account/reauthentication/passkey': nothing,
  'POST /v2/account/reauthentication': () => ({ body: { code: seededRecoveryCode } }),
  'PUT /v2/account/password': () => ({
    body: { currentPassword: seededPassword, newPassword: 'a brand new password', endOtherSessions: false },
  }),
  'POST /v2/account/password/link': nothing,
  'GET /v2/account/second-factors': nothing,
  'POST /v2/account/second-factors/totp/setup': nothing,
  'POST /v2/account/second-factors/totp': ({ totpSetup, totpCode }) => ({
    body: { setup: totpSetup, code: totpCode() },
  }),
  'DELETE /v2/account/second-factors/totp': nothing,
  'POST /v2/account/second-factors/passkeys/setup': nothing,
  'POST /v2/account/second-factors/passkeys': ({ newPasskey }) => ({ body: { name: 'A key', passkey: newPasskey } }),
  'DELETE /v2/account/second-factors/passkeys/:passkeyId': ({ passkeyId }) => ({ params: { passkeyId } }),
  'POST /v2/account/second-factors/recovery-codes': nothing,
  'GET /v2/auth0mgm/org/security': nothing,
  'PUT /v2/auth0mgm/org/security': () => ({ body: { requireSecondFactor: true, sessionHours: 24 } }),
  'POST /v2/auth0mgm/org/domains': () => ({ body: { domain: 'new.example.org' } }),
  'POST /v2/auth0mgm/org/domains/:domain/verification': ({ domain }) => ({ params: { domain } }),
  'DELETE /v2/auth0mgm/org/domains/:domain': ({ domain }) => ({ params: { domain } }),
  'GET /v2/downloads': nothing,
  'GET /v2/pictures': () => ({ query: { url: 'https://127.0.0.1:1/picture.png' } }),
  'GET /v2/extensions': nothing,
  'DELETE /v2/extensions/:extensionId': ({ extensionId }) => ({ params: { extensionId } }),
  'POST /v2/extensions/authorize': () => ({
    body: { side: 'ide', type: 'vscode', device: 'A desk', codeChallenge: 'c'.repeat(43) },
  }),
  'GET /v2/extensions/settings': nothing,
  'POST /v2/extensions/token': () => ({ body: { code: 'slc_nobody', codeVerifier: 'v'.repeat(43) } }),
  'POST /v2/extensions/token/renew': () => ({ body: { refreshToken: 'slr_nobody' } }),
  'POST /v2/extensions/token/revoke': () => ({ body: { refreshToken: 'slr_nobody' } }),
  'GET /v2/user/ext-status': nothing,
  'GET /v2/user/status': nothing,
  'POST /v2/user/heartbeat': () => ({
    body: { side: 'browser', sessionId: newId(), type: 'firefox', version: '1.0.0' },
  }),
  'GET /v2/auth0mgm/user/organizations': () => ({ query: { include_invitations: 'true' } }),
  'GET /v2/auth0mgm/org': nothing,
  'POST /v2/auth0mgm/org': () => ({ body: { displayName: 'Another one' } }),
  'GET /v2/auth0mgm/org/allowed': nothing,
  'PUT /v2/auth0mgm/org': ({ orgId, fullName }) => ({
    body: { id: orgId, displayName: fullName.replace('/', ' '), description: 'Payments' },
  }),
  'DELETE /v2/auth0mgm/user/organizations': nothing,
  'PUT /v2/auth0mgm/org/archive': nothing,
  'PUT /v2/auth0mgm/org/restore': nothing,
  'DELETE /v2/auth0mgm/org/:orgId/invitations/:invitationId/decline': ({ orgId, invitationId }) => ({
    params: { orgId, invitationId },
  }),
  'GET /v2/auth0mgm/roles': nothing,
  'GET /v2/auth0mgm/org/members/ext-status': nothing,
  'GET /v2/auth0mgm/org/members': () => ({ query: { sort: 'name-asc', status: 'active,pending' } }),
  'GET /v2/auth0mgm/org/members/summary': nothing,
  'GET /v2/auth0mgm/org/handles/:handle': () => ({ params: { handle: 'nobody' } }),
  'POST /v2/auth0mgm/org/invite': () => ({
    body: { invite: { emails: ['nora@new.example'], roleID: 'rol_reviewer' } },
  }),
  'DELETE /v2/auth0mgm/org/invitations/:invitationId': ({ invitationId }) => ({ params: { invitationId } }),
  'PATCH /v2/auth0mgm/org/users/:userId/update-role': ({ memberId }) => ({
    params: { userId: memberId },
    body: { oldRole: 'rol_contributor', newRole: 'rol_reviewer' },
  }),
  'PUT /v2/auth0mgm/org/users/:userId/deactivate': ({ memberId }) => ({ params: { userId: memberId } }),
  'PUT /v2/auth0mgm/org/users/:userId/reinstate': ({ formerId }) => ({ params: { userId: formerId } }),
  'DELETE /v2/auth0mgm/org/users/:userId': ({ memberId }) => ({ params: { userId: memberId } }),
  'GET /v2/integrations': nothing,
  'GET /v2/integrations/checkmarx': nothing,
  // Nothing listens here: an invalid key is refused before any request.
  'POST /v2/integrations/checkmarx': () => ({ body: { tenant: 'acme', apiKey: 'not a key' } }),
  'POST /v2/integrations/checkmarx/test': () => ({ body: { tenant: 'acme', apiKey: 'not a key' } }),
  'POST /v2/integrations/checkmarx/sync': nothing,
  'DELETE /v2/integrations/checkmarx': nothing,
  'GET /v2/integrations/checkmarx/projects': () => ({ query: { search: 'pay' } }),
  'PUT /v2/integrations/checkmarx/projects/:projectId': ({ projectId, repositoryId }) => ({
    params: { projectId },
    body: { repositoryId },
  }),
  'GET /v2/integrations/github/status': nothing,
  'GET /v2/integrations/github/initiate-install': ({ orgId }) => ({ query: { orgId, redirectURL: '/repositories' } }),
  'GET /v2/integrations/github/finalize-install': ({ installationId }) => ({
    query: { installation_id: installationId },
  }),
  'GET /v2/integrations/github/installations': nothing,
  'DELETE /v2/integrations/github/installations/:installationId': ({ installationId }) => ({
    params: { installationId },
  }),
  'GET /v2/integrations/:provider/connection': gitlab,
  'POST /v2/integrations/:provider/connection': () => ({
    ...gitlab(),
    body: { baseURL: 'https://127.0.0.1', token: 'not a token' },
  }),
  'GET /v2/integrations/:provider/authorize': () => ({ ...gitlab(), query: { redirectURL: '/repositories' } }),
  'POST /v2/integrations/:provider/authorize': () => ({ ...gitlab(), body: { state: 'stale', code: 'spent' } }),
  'GET /v2/integrations/:provider/workspaces': gitlab,
  'PUT /v2/integrations/:provider/workspaces': () => ({ ...gitlab(), body: { ids: ['1'] } }),
  'DELETE /v2/integrations/:provider/connection': gitlab,
  'GET /v2/integrations/gitlab/status-check': nothing,
  'POST /v2/integrations/gitlab/status-check': nothing,
  'DELETE /v2/integrations/gitlab/status-check': nothing,
  'GET /v2/repositories': () => ({ query: { sort: 'name-asc' } }),
  'GET /v2/repositories/:provider/:repoPath': (names) => ({ params: repository(names) }),
  'GET /v2/repositories/:repositoryId': ({ repositoryId }) => ({ params: { repositoryId } }),
  'GET /v2/auth0mgm/org/repos': nothing,
  'POST /v2/auth0mgm/org/repos': ({ repositoryId, fullName }) => ({
    body: { providerRepos: { github: { [fullName.split('/')[0] ?? '']: [{ id: repositoryId, tracked: true }] } } },
  }),
  'GET /v2/repositories/:provider/:repoPath/contributors': (names) => ({ params: repository(names) }),
  'GET /v2/repositories/:provider/:repoPath/contributors/merges': (names) => ({ params: repository(names) }),
  'POST /v2/repositories/:provider/:repoPath/contributors/merges': (names) => ({
    params: repository(names),
    body: { contributorIds: [names.ownerPersonId, names.otherPersonId], decision: 'merged' },
  }),
  'DELETE /v2/repositories/:provider/:repoPath/contributors/merges/:mergeId': (names) => ({
    params: { ...repository(names), mergeId: names.mergeId },
  }),
  'POST /v2/repositories/:provider/:repoPath/import': (names) => ({ params: repository(names) }),
  'GET /v2/repositories/:provider/:repoPath/pull-requests': (names) => ({
    params: repository(names),
    query: { statuses: 'in-progress' },
  }),
  'GET /v2/repositories/:provider/:repoPath/pull-requests/meta': (names) => ({ params: repository(names) }),
  'GET /v2/repositories/:provider/:repoPath/pull-requests/:prNumber': (names) => ({
    params: { ...repository(names), prNumber: String(names.pullRequest) },
  }),
  'POST /v2/events/explore/context': ({ fullName }) => ({
    body: { repo: `git@code.example:${fullName}.git`, file: 'src/main.ts' },
  }),
  'POST /v2/events/explore/query': ({ contextId }) => ({ body: { context: contextId, query: '' } }),
  'GET /v2/events/explore/values': () => ({ query: { key: 'repo', typed: 'a' } }),
  'POST /v2/events/explore/count': ({ contextId }) => ({
    body: {
      context: contextId,
      query: 'kind:commit',
      newer: '2026-01-01T12:00:00Z_00000000-0000-7000-8000-000000000000',
    },
  }),
  'POST /v2/events/explore/histogram': ({ contextId }) => ({ body: { context: contextId, query: 'after:2026-01-01' } }),
  'GET /v2/events/explore/export': ({ contextId }) => ({ query: { context: contextId, format: 'ndjson' } }),
  'POST /v2/events/explore/contexts': ({ findingId }) => ({ body: { of: 'finding', id: findingId } }),
  'GET /v2/events/explore/views': nothing,
  'POST /v2/events/explore/views': ({ contextId }) => ({
    body: { name: 'Last week', query: 'after:-7d', context: contextId, shared: true },
  }),
  'PATCH /v2/events/explore/views/:viewId': ({ viewId }) => ({ params: { viewId }, body: { name: 'Renamed' } }),
  'DELETE /v2/events/explore/views/:viewId': ({ viewId }) => ({ params: { viewId } }),
  'GET /v2/events/:eventId': ({ ownerEventId }) => ({ params: { eventId: ownerEventId } }),
  'GET /v2/events/explore/context/:contextId': ({ contextId }) => ({ params: { contextId } }),
  'POST /v2/vulnerabilities/dismiss': ({ findingId }) => ({
    body: { ids: [findingId], reason: 'used_in_tests', comment: 'Only in a fixture.' },
  }),
  'POST /v2/vulnerabilities/reopen': ({ findingId }) => ({ body: { ids: [findingId] } }),
  'POST /v2/vulnerabilities/waivers': ({ findingId }) => ({
    body: { ids: [findingId], until: inAMonth(), reason: 'We replace it in spring.' },
  }),
  'POST /v2/vulnerabilities/:findingId/merge': ({ findingId, otherFindingId }) => ({
    params: { findingId },
    body: { ids: [otherFindingId] },
  }),
  'POST /v2/vulnerabilities/:findingId/split': ({ findingId, sourceId }) => ({
    params: { findingId },
    body: { sources: [sourceId] },
  }),
  'GET /v2/vulnerabilities': () => ({ query: { search: 'inject', sort: 'severity-desc' } }),
  'GET /v2/vulnerabilities/filters/:name': () => ({ params: { name: 'repositories' }, query: { severity: 'high' } }),
  'GET /v2/vulnerabilities/stats': () => ({ query: { category: 'sast' } }),
  'GET /v2/vulnerabilities/export': () => ({ query: { format: 'sarif' } }),
  'GET /v2/vulnerabilities/:findingId': ({ findingId }) => ({ params: { findingId } }),
  'GET /v2/vulnerabilities/:findingId/snippet': ({ findingId }) => ({ params: { findingId } }),
  'GET /v2/vulnerabilities/:findingId/neighbors': ({ findingId }) => ({ params: { findingId } }),
  'PUT /v2/vulnerabilities/:findingId/read': ({ findingId }) => ({ params: { findingId }, body: { read: true } }),
  'GET /v2/audit': () => ({ query: { search: 'repository', perPage: '5' } }),
  'GET /v2/audit/filters': nothing,
  'GET /v2/audit/export': () => ({ query: { format: 'ndjson' } }),
  'GET /v2/audit/:auditId': ({ auditId }) => ({ params: { auditId } }),
  'GET /v2/ledger': nothing,
  'GET /v2/ledger/checkpoint': nothing,
  'GET /v2/ledger/tile/:level/:n': () => ({ params: { level: '0', n: '0' }, query: { width: '1' } }),
  'GET /v2/ledger/entries': () => ({ query: { from: '0', to: '1' } }),
  'GET /v2/ledger/entries/:entryId/proof': ({ auditId }) => ({ params: { entryId: auditId } }),
  'GET /v2/ledger/consistency': () => ({ query: { from: '0', to: '1' } }),
  'GET /v2/changes': () => ({ query: { perPage: '5', approval: 'no', only: 'missing' } }),
  'GET /v2/changes/:id': ({ changeId }) => ({ params: { id: changeId }, query: { version: '1' } }),
  'GET /v2/changes/:id/vsa': ({ changeId }) => ({ params: { id: changeId } }),
  'GET /v2/controls': () => ({ query: { period: '2026-Q1' } }),
  'GET /v2/controls/overview': () => ({ query: { period: '2026-Q1' } }),
  'GET /v2/controls/:id': () => ({ params: { id: 'LOG-01' }, query: { period: '2026-Q1' } }),
  'GET /v2/controls/:id/runs': () => ({ params: { id: 'LOG-01' }, query: { period: '2026-Q1', perPage: '5' } }),
  'GET /v2/controls/:id/rows': () => ({
    params: { id: 'LOG-01' },
    query: { period: '2026-Q1', verdict: 'missing_evidence,pass', reason: 'ledger_facts_missing', search: '2026' },
  }),
  'GET /v2/controls/:id/sample': () => ({ params: { id: 'LOG-01' }, query: { period: '2026-Q1', size: '5' } }),
  'GET /v2/controls/:id/settings': () => ({ params: { id: 'CHG-01' } }),
  'GET /v2/controls/:id/tasks/:taskId': ({ taskId }) => ({ params: { id: 'LOG-01', taskId } }),
  'GET /v2/snapshots': () => ({ query: { perPage: '5' } }),
  'POST /v2/snapshots': () => ({ body: { name: 'Quarter', period: '2026-Q1', controls: ['LOG-01'] } }),
  'GET /v2/snapshots/:snapshotId': ({ snapshotId }) => ({ params: { snapshotId } }),
  'GET /v2/snapshots/:snapshotId/bundle': ({ snapshotId }) => ({ params: { snapshotId } }),
  'GET /v2/auditor-portals': () => ({ query: { state: 'open', sort: 'date-asc' } }),
  'POST /v2/auditor-portals': ({ snapshotId }) => ({
    body: {
      name: 'Audit',
      auditor: { name: 'Petra', email: 'petra@audit.example' },
      snapshots: [snapshotId],
      redaction: 'people',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    },
  }),
  'GET /v2/auditor-portals/:portalId': ({ portalId }) => ({ params: { portalId } }),
  'DELETE /v2/auditor-portals/:portalId': ({ portalId }) => ({ params: { portalId } }),
  'POST /v2/auditor-portals/:portalId/requests/:requestId/answer': ({ portalId, requestId }) => ({
    params: { portalId, requestId },
    body: { answer: 'Here.' },
  }),
  'POST /v2/portal/enter': () => ({ body: { token: 'slportal_nobody' } }),
  'GET /v2/portal/:portalId': ({ portalId }) => ({ params: { portalId } }),
  'GET /v2/portal/:portalId/status': ({ portalId }) => ({ params: { portalId } }),
  'GET /v2/portal/:portalId/snapshots/:snapshotId': ({ portalId, snapshotId }) => ({
    params: { portalId, snapshotId },
  }),
  'GET /v2/portal/:portalId/snapshots/:snapshotId/controls/:controlId': ({ portalId, snapshotId }) => ({
    params: { portalId, snapshotId, controlId: 'LOG-01' },
  }),
  'GET /v2/portal/:portalId/snapshots/:snapshotId/controls/:controlId/rows': ({ portalId, snapshotId }) => ({
    params: { portalId, snapshotId, controlId: 'LOG-01' },
    query: { verdict: 'missing_evidence' },
  }),
  'GET /v2/portal/:portalId/snapshots/:snapshotId/controls/:controlId/sample': ({ portalId, snapshotId }) => ({
    params: { portalId, snapshotId, controlId: 'LOG-01' },
    query: { seed: 'dice', size: '5' },
  }),
  'GET /v2/portal/:portalId/snapshots/:snapshotId/changes/:entry': ({ portalId, snapshotId }) => ({
    params: { portalId, snapshotId, entry: '1' },
  }),
  'GET /v2/portal/:portalId/snapshots/:snapshotId/bundle': ({ portalId, snapshotId }) => ({
    params: { portalId, snapshotId },
  }),
  'GET /v2/portal/:portalId/requests': ({ portalId }) => ({ params: { portalId } }),
  'POST /v2/portal/:portalId/requests': ({ portalId }) => ({ params: { portalId }, body: { text: 'Where?' } }),
  'GET /v2/snapshots/:snapshotId/diff': ({ snapshotId }) => ({ params: { snapshotId }, query: { with: snapshotId } }),
  'GET /v2/audit-streams': () => ({ query: { search: 'seed', sort: 'date-desc' } }),
  'POST /v2/audit-streams': () => ({
    body: { kind: 'https', name: 'Log archive', settings: { url: outsideUrl }, startFrom: 'beginning' },
  }),
  'GET /v2/audit-streams/:streamId': ({ streamId }) => ({ params: { streamId } }),
  'PATCH /v2/audit-streams/:streamId': ({ streamId }) => ({ params: { streamId }, body: { name: 'Another' } }),
  'DELETE /v2/audit-streams/:streamId': ({ streamId }) => ({ params: { streamId } }),
  'POST /v2/audit-streams/:streamId/secret': ({ streamId }) => ({ params: { streamId } }),
  'POST /v2/audit-streams/:streamId/test': ({ streamId }) => ({ params: { streamId } }),
  'GET /v2/evidence-destinations': () => ({ query: { search: 'seed', sort: 'date-desc' } }),
  'POST /v2/evidence-destinations': () => ({
    body: { kind: 'drata', name: 'Auditors', settings: { url: outsideUrl, workspaceId: 1 }, secret: 'a key' },
  }),
  'GET /v2/evidence-destinations/:destinationId': ({ destinationId }) => ({ params: { destinationId } }),
  'PATCH /v2/evidence-destinations/:destinationId': ({ destinationId }) => ({
    params: { destinationId },
    body: { name: 'Another' },
  }),
  'DELETE /v2/evidence-destinations/:destinationId': ({ destinationId }) => ({ params: { destinationId } }),
  'POST /v2/evidence-destinations/:destinationId/test': ({ destinationId }) => ({ params: { destinationId } }),
  'GET /v2/evidence-destinations/:destinationId/deliveries': ({ destinationId }) => ({
    params: { destinationId },
    query: { perPage: '5' },
  }),
  'POST /v2/evidence-destinations/:destinationId/deliveries': ({ destinationId, unsentId }) => ({
    params: { destinationId },
    body: { snapshotId: unsentId },
  }),
  'GET /v2/evidence-destinations/:destinationId/deliveries/:deliveryId': ({
    destinationId,
    evidenceDeliveryId: deliveryId,
  }) => ({
    params: { destinationId, deliveryId },
  }),
  'POST /v2/evidence-destinations/:destinationId/deliveries/:deliveryId/redeliver': ({
    destinationId,
    evidenceDeliveryId: deliveryId,
  }) => ({
    params: { destinationId, deliveryId },
  }),
  'POST /v2/controls/run': () => ({ body: { period: '2026-Q2' } }),
  'POST /v2/controls/:id/run': () => ({ params: { id: 'LOG-01' }, body: { period: '2026-Q3' } }),
  'GET /v2/me/personal-data': nothing,
  'GET /v2/me/personal-data/export': nothing,
  'GET /v2/erasures': () => ({ query: { state: 'requested,running', search: 'o', sort: 'date-asc' } }),
  'POST /v2/erasures': ({ erasableId }) => ({
    body: { subject: { kind: 'person', id: erasableId }, confirm: erasablePersonName },
  }),
  'POST /v2/erasures/:erasureId/decision': ({ erasureId }) => ({
    params: { erasureId },
    body: { decision: 'refuse', reason: 'The law asks us to keep it.' },
  }),
  'POST /v2/me/erasure': nothing,
  'DELETE /v2/me/erasure': nothing,
  'GET /v2/ledger/anchors': () => ({ query: { search: 'seed', sort: 'party-desc' } }),
  'POST /v2/ledger/anchors': () => ({ body: { kind: 'mail', party: 'Everybody', settings: { addresses: [] } } }),
  'PATCH /v2/ledger/anchors/:anchorId': ({ anchorId }) => ({ params: { anchorId }, body: { everyHours: 12 } }),
  'DELETE /v2/ledger/anchors/:anchorId': ({ anchorId }) => ({ params: { anchorId } }),
  'POST /v2/ledger/anchors/:anchorId/publish': ({ anchorId }) => ({ params: { anchorId } }),
  'POST /v2/ledger/anchors/:anchorId/confirmations': ({ anchorId }) => ({
    params: { anchorId },
    body: { address: unconfirmedAddress },
  }),
  'GET /v2/ledger/anchors/:anchorId/attempts': ({ anchorId }) => ({ params: { anchorId }, query: { perPage: '5' } }),
  'GET /v2/ledger/receipts': () => ({ query: { sort: 'date-asc' } }),
  'GET /v2/ledger/receipts/receipt': ({ anchorId }) => ({
    query: { epoch: '1', size: '1', kind: 'git', party: anchorPartyOf(anchorId) },
  }),
  'POST /v2/repositories/:provider/:repoPath/sarif': (names) => ({
    params: repository(names),
    query: { ref: 'refs/heads/main', category: 'seed' },
    file: sarifLog(),
  }),
  'GET /v2/repositories/:provider/:repoPath/alerts': (names) => ({ params: repository(names) }),
  'POST /v2/repositories/:provider/:repoPath/alerts': (names) => ({ params: repository(names) }),
  'GET /v2/repositories/:provider/:repoPath/scans': (names) => ({ params: repository(names) }),
  'PUT /v2/repositories/:provider/:repoPath/missing-classes': (names) => ({
    params: repository(names),
    body: { tool: 'spotbugs', allowed: true },
  }),
  'GET /v2/scans/:scanId': ({ scanId }) => ({ params: { scanId } }),
  'GET /v2/notifications': () => ({ query: { status: 'unread', search: 'disabled', limit: '5' } }),
  'GET /v2/notifications/count': nothing,
  'POST /v2/notifications/status': ({ notificationId }) => ({ body: { ids: [notificationId], status: 'read' } }),
  'GET /v2/notifications/search': () => ({ query: { query: 'disabled severity:>=low', limit: '5' } }),
  'PUT /v2/notifications/:notificationId/saved': ({ notificationId }) => ({
    params: { notificationId },
    body: { saved: true },
  }),
  'GET /v2/notifications/settings': nothing,
  'PUT /v2/notifications/settings': () => ({
    body: {
      matrix: defaultNotificationChannels('rol_owner'),
      minSeverity: 'low',
      cadence: 'hourly',
      repositories: null,
      timezone: 'Europe/Berlin',
      sendEmpty: true,
      quietHours: { from: '22:00', until: '07:00' },
    },
  }),
  'GET /v2/notifications/defaults': nothing,
  'PUT /v2/notifications/defaults/:role': () => ({
    params: { role: 'rol_reviewer' },
    body: { matrix: defaultNotificationChannels('rol_reviewer'), minSeverity: 'high', cadence: 'weekly', locked: true },
  }),
  'GET /v2/access-reviews': () => ({ query: { sort: 'quarter-asc' } }),
  'GET /v2/access-reviews/:reviewId': ({ reviewId }) => ({ params: { reviewId } }),
  'GET /v2/access-reviews/:reviewId/items': ({ reviewId }) => ({
    params: { reviewId },
    query: { sort: 'role-desc', decision: 'none,kept', role: 'rol_contributor', search: '@' },
  }),
  'POST /v2/access-reviews/:reviewId/decisions': ({ reviewId, memberId }) => ({
    params: { reviewId },
    body: { decision: 'kept', lines: [{ accountId: memberId, roleId: 'rol_contributor' }] },
  }),
  'POST /v2/access-reviews/:reviewId/signature': ({ decidedReviewId }) => ({
    params: { reviewId: decidedReviewId },
    body: { lines: 1, decided: 1 },
  }),
  'GET /v2/access-keys': () => ({ query: { sort: 'name-asc' } }),
  'POST /v2/access-keys': ({ repositoryId }) => ({ body: { name: 'CI', repositoryId, days: 30 } }),
  'DELETE /v2/access-keys/:accessKeyId': ({ accessKeyId }) => ({ params: { accessKeyId } }),
  'GET /v2/policies': () => ({ query: { search: 'secrets', kinds: 'sla,merge', modes: 'observe', sort: 'date-desc' } }),
  'GET /v2/policies/kinds': nothing,
  'GET /v2/policies/status': nothing,
  'GET /v2/policies/:policyId': ({ policyId }) => ({ params: { policyId } }),
  'POST /v2/policies': () => ({ body: { name: 'House', ...housePolicy, mode: 'warn' } }),
  'PUT /v2/policies/:policyId': ({ policyId }) => ({
    params: { policyId },
    body: { name: 'House', ...housePolicy, mode: 'observe', version: 1 },
  }),
  'DELETE /v2/policies/:policyId': ({ policyId }) => ({ params: { policyId } }),
  'POST /v2/policies/:policyId/restore': ({ endedPolicyId }) => ({ params: { policyId: endedPolicyId } }),
  'POST /v2/policies/dry-run': () => ({ body: housePolicy }),
  'POST /v2/policies/:policyId/dry-run': ({ policyId }) => ({ params: { policyId }, body: housePolicy }),
  'GET /v2/waivers': () => ({
    query: { view: 'open', sort: 'until-asc', search: 'seed', controls: 'CHG-01,VUL-01' },
  }),
  'POST /v2/waivers': () => ({
    body: { control: 'LOG-01', subject: '2026-01-01', reason: 'The seed needs it', until: inAMonth() },
  }),
  'POST /v2/waivers/:waiverId/decision': ({ controlWaiverId }) => ({
    params: { waiverId: controlWaiverId },
    body: { approve: true, comment: 'For now' },
  }),
  'DELETE /v2/waivers/:waiverId': ({ ownFindingWaiverId }) => ({ params: { waiverId: ownFindingWaiverId } }),
  'GET /v2/digests': () => ({ query: { state: 'open,partly', sort: 'due-asc' } }),
  'GET /v2/digests/:digestId': ({ digestId }) => ({ params: { digestId } }),
  'POST /v2/digests/:digestId/review': ({ digestId }) => ({
    params: { digestId },
    body: { bodySha256: digestBodySha256, decision: 'reviewed', note: 'Seen', items: [] },
  }),
  'GET /v2/outgoing-webhooks': () => ({ query: { search: 'hooks', sort: 'url-asc' } }),
  'POST /v2/outgoing-webhooks': () => ({ body: { url: outsideUrl, description: 'House', types: ['finding.new'] } }),
  'GET /v2/outgoing-webhooks/:webhookId': ({ webhookId }) => ({ params: { webhookId } }),
  'PATCH /v2/outgoing-webhooks/:webhookId': ({ webhookId }) => ({
    params: { webhookId },
    body: { description: 'Another', types: ['repository.enabled'], enabled: true },
  }),
  'DELETE /v2/outgoing-webhooks/:webhookId': ({ webhookId }) => ({ params: { webhookId } }),
  'POST /v2/outgoing-webhooks/:webhookId/secret': ({ webhookId }) => ({ params: { webhookId } }),
  'POST /v2/outgoing-webhooks/:webhookId/test': ({ webhookId }) => ({ params: { webhookId } }),
  'GET /v2/outgoing-webhooks/:webhookId/deliveries': ({ webhookId }) => ({
    params: { webhookId },
    query: { search: 'finding', status: 'failed,pending' },
  }),
  'GET /v2/outgoing-webhooks/:webhookId/deliveries/:deliveryId': ({ webhookId, deliveryId }) => ({
    params: { webhookId, deliveryId },
  }),
  'POST /v2/outgoing-webhooks/:webhookId/deliveries/:deliveryId/redeliver': ({ webhookId, deliveryId }) => ({
    params: { webhookId, deliveryId },
  }),
  'POST /v2/events/user': () => ({ body: [eventItem()] }),
  'POST /v2/tools/inventory': () => ({ body: { tab: 'developer', search: 'deploy', sort: 'date-desc' } }),
  'POST /v2/tools/inventory/export': () => ({ body: { tab: 'ci/cd' } }),
  'GET /v2/tools/filters': () => ({ query: { tab: 'developer' } }),
  'GET /v2/tools/:toolId': ({ toolId }) => ({ params: { toolId } }),
  'GET /v2/tools/:toolId/detections': ({ toolId, repositoryId }) => ({
    params: { toolId },
    query: { repository: repositoryId },
  }),
  'GET /v2/tools/:toolId/people': ({ toolId }) => ({ params: { toolId } }),
  'GET /v2/tools/:toolId/projects': ({ toolId }) => ({ params: { toolId } }),
  'PUT /v2/user/tools': ({ fullName }) => ({
    body: {
      deviceId: '01890000-0000-4000-8000-000000000001',
      type: 'vscode',
      version: '1.105.0',
      tools: [{ id: 'acme.helper', name: 'Helper', version: '2.0.1' }],
      repositories: [`code.example/${fullName}`],
    },
  }),
};

const housePolicy = {
  kind: 'sla',
  scope: { repositories: null, branches: [] },
  settings: { 'VUL-02': { limit: 5 } },
};
const inAMonth = () => new Date(Date.now() + 30 * 86_400_000).toISOString();
/** A public IP address, which needs no name resolution. */
const outsideUrl = 'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/hooks';

/** An event as an extension sends it. */
export const eventItem = () => ({
  plugin_id: 'editor',
  event_type: 'other',
  message_id: newId(),
  original_timestamp: '2026-03-01T12:00:00Z',
  identifiers: { what: 'extension_installed', tool: 'acme.api' },
});

/** A SARIF log with one result. */
const sarifLog = () => ({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'House' } },
      results: [
        {
          ruleId: 'door/open',
          message: { text: 'The door is open.' },
          locations: [{ physicalLocation: { artifactLocation: { uri: 'door.ts' }, region: { startLine: 1 } } }],
        },
      ],
    },
  ],
});

/** Returns the body and headers of a request: its JSON or its file. */
export function payloadOf(
  endpoint: Endpoint,
  { body, file }: RequestInput,
): { headers?: { 'content-type': string }; payload?: string } {
  const type = endpoint.upload?.types[0] ?? (endpoint.body && 'application/json');
  if (type === undefined) return {};
  return { headers: { 'content-type': type }, payload: JSON.stringify(endpoint.upload ? file : body) };
}

export const endpointKeyOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path}`;

/** Returns the request of an endpoint. Throws if it has no row. */
export function exampleRequestOf(endpoint: Endpoint, names: RequestNames): RequestInput {
  const make = exampleRequests[endpointKeyOf(endpoint)];
  if (!make) throw new Error(`${endpointKeyOf(endpoint)} has no row in requests.ts`);
  return make(names);
}

/** Returns the path and query of a request. */
export function requestUrlOf(endpoint: Endpoint, { params = {}, query = {} }: RequestInput): string {
  const search = new URLSearchParams(query).toString();
  return `/api${pathOf(endpoint, params)}${search === '' ? '' : `?${search}`}`;
}

/** Sends the request of an endpoint. `credential`: an access token, or the cookie of a portal session. */
export async function callEndpoint(
  server: TestServer,
  endpoint: Endpoint,
  credential: string | undefined,
  names: RequestNames,
) {
  const input = exampleRequestOf(endpoint, names);
  const { headers, ...sent } = payloadOf(endpoint, input);
  const answer = await server.app.inject({
    method: endpoint.method,
    url: requestUrlOf(endpoint, input),
    headers: { ...credentialHeaders(credential), ...headers },
    ...sent,
  });
  return { status: answer.statusCode, body: answer.payload, headers: answer.headers };
}

function credentialHeaders(credential: string | undefined): Record<string, string> {
  if (credential === undefined) return {};
  return credential.startsWith(`${portalCookieName(false)}=`)
    ? { cookie: credential }
    : { authorization: `Bearer ${credential}` };
}
