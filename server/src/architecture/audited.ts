import { controlIds } from '@sightline/contract/core/control-ids.ts';
import { removeTotp } from '@sightline/contract/identity/second-factors.ts';
import { requestAddressConfirmation } from '@sightline/contract/ledger/anchors.ts';
import type { AuditAction } from '@sightline/contract/organization/audit-actions.ts';
import { restoreOrganization } from '@sightline/contract/organization/organizations.ts';
import type { TestServer } from '#testing/server.ts';
import { populationOf } from '../domains/compliance/controls/catalog.ts';
import { connectGitlab } from './host-connection.ts';
import type { RequestInput, RequestNames } from './requests.ts';
import { restoreScene } from './scene.ts';
import type { Seed } from './seeded.ts';
import { createStatusCheckUrl } from './status-check.ts';
import { setFindingDecision } from './triage.ts';

interface Audited {
  /** The actions that the request of requests.ts, or `input`, writes to the audit log. */
  writes: readonly AuditAction[];
  /** A request that changes something, if the one of requests.ts changes nothing. */
  input?: (names: RequestNames) => RequestInput;
  /** The status of the response while the audit log accepts no entry, if it is not 500. */
  unaudited?: number;
  /** Tables that record a failed attempt. */
  traces?: readonly string[];
  /** Creates what the request requires. */
  before?: (server: TestServer, seed: Seed) => Promise<void>;
}

/**
 * The audit log entries of every call that may change something, or the reason for none. A call that is not listed must
 * be a GET that changes no table.
 */
export const auditExpectations: Record<string, Audited | { none: string }> = {
  'POST /v2/auth/public/verification': { none: 'Sends a mail again; nothing of an organization changes.' },
  'POST /v2/auth/register': {
    none: 'Arriving is audited where a member was only accepted: see accounts/routes.test.ts.',
  },
  'POST /v2/auth/link': { none: 'Leave to connect a login; connecting is audited: see identity/linking.' },
  'PUT /v2/auth/unlink/:id': { none: 'Nobody has this identity. Disconnecting is audited: see identity/linking.' },
  'POST /account/me/description': { writes: ['account.described'] },
  'DELETE /v2/account/sessions/:sessionId': { writes: ['login.session_ended'] },
  'DELETE /v2/account/sessions': { writes: ['login.session_ended'] },
  'POST /v2/account/reauthentication/passkey': { none: 'A challenge for a browser.' },
  'POST /v2/account/reauthentication': { writes: ['login.second_factor_passed'] },
  'PUT /v2/account/password': { writes: ['login.password_changed'] },
  'POST /v2/account/password/link': { none: 'Sends a mail. What its link does is audited.' },
  'POST /v2/account/second-factors/totp/setup': { none: 'A secret that is kept nowhere yet.' },
  'POST /v2/account/second-factors/totp': { writes: ['login.second_factor_added'] },
  'DELETE /v2/account/second-factors/totp': {
    writes: ['login.second_factor_removed'],
    before: (server, seed) => restoreScene(server, seed, removeTotp),
  },
  'POST /v2/account/second-factors/passkeys/setup': { none: 'A challenge for a browser.' },
  'POST /v2/account/second-factors/passkeys': { writes: ['login.second_factor_added'] },
  'DELETE /v2/account/second-factors/passkeys/:passkeyId': { writes: ['login.second_factor_removed'] },
  'POST /v2/account/second-factors/recovery-codes': { writes: ['login.recovery_codes_renewed'] },
  'POST /v2/extensions/authorize': { none: 'A code for a minute. Signing in with it is audited: see extensions.' },
  'POST /v2/extensions/token': { none: 'The code is nobody’s. Signing in is audited: see extensions.' },
  'POST /v2/extensions/token/renew': { none: 'The token is nobody’s. A renewal leaves only when it was.' },
  'POST /v2/extensions/token/revoke': { none: 'The token is nobody’s. Signing out is audited: see extensions.' },
  'DELETE /v2/extensions/:extensionId': { writes: ['extension.signed_out'] },
  'GET /v2/me/personal-data/export': { writes: ['personal_data.exported'] },
  'POST /v2/erasures': { writes: ['person.erased'] },
  'POST /v2/erasures/:erasureId/decision': { writes: ['erasure.refused'] },
  'POST /v2/me/erasure': {
    writes: ['erasure.requested'],
    before: (server, { org }) =>
      server.services.database.withOrg(org.id, async ({ db }) => {
        await db.deleteFrom('erasure').where('org_id', '=', org.id).execute();
      }),
  },
  'DELETE /v2/me/erasure': { writes: ['erasure.withdrawn'] },
  'PUT /v2/auth0mgm/org/security': {
    writes: ['organization.second_factor_required', 'organization.session_policy_changed'],
  },
  'POST /v2/auth0mgm/org/domains': { writes: ['organization.domain_added'] },
  'POST /v2/auth0mgm/org/domains/:domain/verification': {
    none: 'No DNS answers. A verified domain is audited: see organization-security/single-sign-on.test.ts.',
  },
  'DELETE /v2/auth0mgm/org/domains/:domain': { writes: ['organization.domain_removed'] },
  'PUT /v2/vulnerabilities/:findingId/read': { none: 'What one person has opened.' },
  'PUT /account/me/tips/hide': { none: 'What one person likes to see.' },
  'PUT /account/me/onboarding/complete': { none: 'What one person likes to see.' },
  'POST /v2/auth0mgm/org': { writes: ['organization.created'] },
  'PUT /v2/auth0mgm/org': { writes: ['organization.updated'] },
  'DELETE /v2/auth0mgm/user/organizations': { writes: ['extension.signed_out', 'member.left'] },
  'PUT /v2/auth0mgm/org/archive': { writes: ['organization.archived'] },
  'PUT /v2/auth0mgm/org/restore': {
    writes: ['organization.restored'],
    before: (server, seed) => restoreScene(server, seed, restoreOrganization),
  },
  'DELETE /v2/auth0mgm/org/:orgId/invitations/:invitationId/decline': { writes: ['invitation.declined'] },
  'POST /v2/auth0mgm/org/invite': { writes: ['invitation.sent'] },
  'DELETE /v2/auth0mgm/org/invitations/:invitationId': { writes: ['invitation.revoked'] },
  'PATCH /v2/auth0mgm/org/users/:userId/update-role': { writes: ['member.role_changed'] },
  'PUT /v2/auth0mgm/org/users/:userId/deactivate': { writes: ['member.deactivated'] },
  'PUT /v2/auth0mgm/org/users/:userId/reinstate': { writes: ['member.reinstated'] },
  'DELETE /v2/auth0mgm/org/users/:userId': { writes: ['member.removed'] },
  'POST /v2/integrations/checkmarx': { none: 'The key is none. Connecting is audited: see checkmarx/routes.test.ts.' },
  'POST /v2/integrations/checkmarx/test': { none: 'A question.' },
  'POST /v2/integrations/checkmarx/sync': { writes: ['integration.sync_requested'] },
  'DELETE /v2/integrations/checkmarx': { writes: ['integration.disconnected'] },
  'PUT /v2/integrations/checkmarx/projects/:projectId': { writes: ['scanner_project.matched'] },
  'GET /v2/integrations/github/initiate-install': { none: 'A nonce for the way to GitHub and back.' },
  'GET /v2/integrations/github/finalize-install': {
    none: 'A visit again lists the repositories anew. Connecting is audited: see github/routes.test.ts.',
  },
  'DELETE /v2/integrations/github/installations/:installationId': { writes: ['integration.disconnected'] },
  'POST /v2/integrations/:provider/connection': {
    none: 'The token is none. Connecting is audited: see host-connections/routes.test.ts.',
  },
  'GET /v2/integrations/:provider/authorize': { none: 'A nonce for the way to the host and back.' },
  'POST /v2/integrations/:provider/authorize': {
    none: 'Nobody can sign in here. Connecting is audited: see host-connections/routes.test.ts.',
  },
  'PUT /v2/integrations/:provider/workspaces': {
    none: 'Nothing is connected. Picking is audited: see host-connections/routes.test.ts.',
  },
  'POST /v2/integrations/gitlab/status-check': { writes: ['integration.status_check_made'] },
  'DELETE /v2/integrations/gitlab/status-check': {
    writes: ['integration.status_check_removed'],
    before: createStatusCheckUrl,
  },
  'DELETE /v2/integrations/:provider/connection': {
    writes: ['integration.disconnected'],
    before: connectGitlab,
  },
  'POST /v2/auth0mgm/org/repos': {
    writes: ['repository.disabled'],
    input: ({ repositoryId, fullName }) => ({
      body: { providerRepos: { github: { [fullName.split('/')[0] ?? '']: [{ id: repositoryId, tracked: false }] } } },
    }),
  },
  'POST /v2/repositories/:provider/:repoPath/alerts': { writes: ['repository.alerts_requested'] },
  'POST /v2/repositories/:provider/:repoPath/import': { writes: ['repository.import_requested'] },
  'PUT /v2/repositories/:provider/:repoPath/missing-classes': { writes: ['repository.missing_classes_changed'] },
  'POST /v2/repositories/:provider/:repoPath/sarif': {
    writes: ['scan.imported'],
    // The file is stored before it is imported. The response contains the failed scan.
    unaudited: 202,
    // The failed scan remains, with its reason, as the latest of its scanner, and so does the name of the scanner.
    // On a slow machine the response is sent before the import ends, so the upload and its job still exist.
    traces: [
      ...['scan', 'scan_latest', 'finding_tool', 'ledger_pending', 'scan_result', 'scan_text'],
      ...['scan_upload', 'scan_upload_piece', 'jobs'],
    ],
  },
  'POST /v2/repositories/:provider/:repoPath/contributors/merges': { writes: ['person.merged'] },
  'DELETE /v2/repositories/:provider/:repoPath/contributors/merges/:mergeId': { writes: ['person.merge_undone'] },
  'POST /v2/access-keys': { writes: ['access_key.created'] },
  'DELETE /v2/access-keys/:accessKeyId': { writes: ['access_key.revoked'] },
  'POST /v2/access-reviews/:reviewId/decisions': { writes: ['access_review.decided'] },
  'POST /v2/access-reviews/:reviewId/signature': { writes: ['access_review.signed'] },
  'POST /v2/policies': { writes: ['policy.created'] },
  'PUT /v2/policies/:policyId': { writes: ['policy.changed'] },
  'DELETE /v2/policies/:policyId': { writes: ['policy.deleted'] },
  'POST /v2/policies/:policyId/restore': { writes: ['policy.restored'] },
  'POST /v2/policies/dry-run': { none: 'What would be. That somebody looked is kept beside it.' },
  'POST /v2/policies/:policyId/dry-run': { none: 'What would be. That somebody looked is kept beside it.' },
  'POST /v2/waivers': { writes: ['waiver.requested'] },
  'POST /v2/waivers/:waiverId/decision': { writes: ['waiver.approved'] },
  'DELETE /v2/waivers/:waiverId': { writes: ['finding.waiver_withdrawn'] },
  'POST /v2/digests/:digestId/review': { writes: ['digest.reviewed'] },
  'POST /v2/outgoing-webhooks': { writes: ['webhook.created'] },
  'PATCH /v2/outgoing-webhooks/:webhookId': { writes: ['webhook.updated'] },
  'DELETE /v2/outgoing-webhooks/:webhookId': { writes: ['webhook.deleted'] },
  'POST /v2/outgoing-webhooks/:webhookId/secret': { writes: ['webhook.secret_rotated'] },
  'POST /v2/outgoing-webhooks/:webhookId/test': { writes: ['webhook.tested'] },
  'POST /v2/outgoing-webhooks/:webhookId/deliveries/:deliveryId/redeliver': { writes: ['webhook.redelivered'] },
  'POST /v2/ledger/anchors': { writes: ['ledger.anchor_added'] },
  'PATCH /v2/ledger/anchors/:anchorId': { writes: ['ledger.anchor_changed'] },
  'DELETE /v2/ledger/anchors/:anchorId': { writes: ['ledger.anchor_removed'] },
  'POST /v2/ledger/anchors/:anchorId/confirmations': {
    writes: ['ledger.anchor_address_requested'],
    before: (server, seed) => restoreScene(server, seed, requestAddressConfirmation),
  },
  'POST /v2/ledger/anchors/:anchorId/publish': { writes: ['ledger.anchor_requested'] },
  'POST /v2/events/explore/query': { none: 'A question.' },
  'POST /v2/events/explore/count': { none: 'A question.' },
  'POST /v2/events/explore/histogram': { none: 'A question.' },
  'POST /v2/events/explore/contexts': { none: 'A question, kept so that a link can name it.' },
  'GET /v2/events/explore/export': { writes: ['event.exported'] },
  'POST /v2/events/explore/views': { writes: ['view.shared'] },
  'PATCH /v2/events/explore/views/:viewId': { writes: ['view.updated'] },
  'DELETE /v2/events/explore/views/:viewId': { writes: ['view.deleted'] },
  'POST /v2/events/explore/context': { none: 'A question, kept so that a link can name it.' },
  'POST /v2/user/heartbeat': { none: 'That an extension is there, said every few minutes.' },
  'POST /v2/controls/:id/run': { writes: ['control.run_requested'] },
  'POST /v2/snapshots': { writes: ['snapshot.requested'] },
  'POST /v2/auditor-portals': { writes: ['portal.opened'] },
  'DELETE /v2/auditor-portals/:portalId': { writes: ['portal.revoked'] },
  'POST /v2/auditor-portals/:portalId/requests/:requestId/answer': { writes: ['portal.answered'] },
  'POST /v2/portal/enter': { none: 'The link is nobody’s. Entering and every view are audited: see portals.' },
  'POST /v2/portal/:portalId/requests': { none: 'A member is in no portal. Asking is audited: see portals.' },
  'POST /v2/audit-streams': { writes: ['audit_stream.created'] },
  'PATCH /v2/audit-streams/:streamId': { writes: ['audit_stream.updated'] },
  'DELETE /v2/audit-streams/:streamId': { writes: ['audit_stream.deleted'] },
  'POST /v2/audit-streams/:streamId/secret': { writes: ['audit_stream.secret_rotated'] },
  'POST /v2/audit-streams/:streamId/test': { writes: ['audit_stream.tested'] },
  'POST /v2/evidence-destinations': { writes: ['evidence_destination.added'] },
  'PATCH /v2/evidence-destinations/:destinationId': { writes: ['evidence_destination.changed'] },
  'DELETE /v2/evidence-destinations/:destinationId': { writes: ['evidence_destination.removed'] },
  'POST /v2/evidence-destinations/:destinationId/test': { writes: ['evidence_destination.tested'] },
  'POST /v2/evidence-destinations/:destinationId/deliveries': { writes: ['evidence_destination.snapshot_requested'] },
  'POST /v2/evidence-destinations/:destinationId/deliveries/:deliveryId/redeliver': {
    writes: ['evidence_destination.snapshot_requested'],
  },
  'POST /v2/controls/run': {
    // One for each control that Sightline evaluates.
    writes: controlIds.filter((id) => populationOf(id)).map(() => 'control.run_requested' as const),
  },
  'POST /v2/events/user': { none: 'Facts have a record of their own, the timeline and its ledger entries.' },
  'POST /v2/tools/inventory': { none: 'A question.' },
  'POST /v2/tools/inventory/export': { writes: ['tool.exported'] },
  'PUT /v2/user/tools': { none: 'What an editor has: that somebody began to use a tool stands in the timeline.' },
  'POST /v2/flags/frontend': { none: 'A question.' },
  'POST /v2/flags/frontend/client/metrics': { none: 'How often flags were asked for, added up for everybody.' },
  'POST /v2/flags/frontend/client/register': { none: 'Who asks for flags; nothing is kept.' },
  'POST /v2/vulnerabilities/dismiss': {
    writes: ['finding.waiver_withdrawn', 'finding.dismissed'],
  },
  'POST /v2/vulnerabilities/reopen': {
    writes: ['finding.reopened'],
    before: (server, seed) => setFindingDecision(server, seed, 'dismissed'),
  },
  'POST /v2/vulnerabilities/waivers': {
    writes: ['finding.waiver_requested'],
    before: (server, seed) => setFindingDecision(server, seed, null),
  },
  'POST /v2/vulnerabilities/:findingId/merge': { writes: ['finding.waiver_withdrawn', 'finding.merged'] },
  'POST /v2/vulnerabilities/:findingId/split': { writes: ['finding.split', 'finding.split'] },
  'POST /v2/notifications/status': { none: 'What one person has read.' },
  'PUT /v2/notifications/:notificationId/saved': { none: 'What one person keeps.' },
  'PUT /v2/notifications/settings': { none: 'What one person wants to be told.' },
  'PUT /v2/notifications/defaults/:role': { writes: ['notification.defaults_changed'] },
  'GET /v2/vulnerabilities/export': { writes: ['finding.exported'] },
  'GET /v2/audit/export': { writes: ['audit.exported'] },
};
