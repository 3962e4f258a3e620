import type { FastifyInstance } from 'fastify';
import { createClientAddress } from '#core/client-address.ts';
import { createHostCheck } from '#core/hosts.ts';
import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import type { SigningKeys } from '#core/signing-keys.ts';
import { allowCorsOrigins } from './core/cors.ts';
import { createHttp } from './core/http.ts';
import { measureRequests } from './core/measured-requests.ts';
import { limitAddresses } from './core/request-limits.ts';
import { traceRequests } from './core/traces.ts';
import { accessReviewJobs } from './domains/compliance/access-reviews/jobs.ts';
import { accessReviewRoutes } from './domains/compliance/access-reviews/routes.ts';
import { agentReconciliationRoutes } from './domains/compliance/agent-reconciliation/routes.ts';
import { portalJobs } from './domains/compliance/auditor-portals/jobs.ts';
import { portalRoutes } from './domains/compliance/auditor-portals/routes.ts';
import { changeJobs } from './domains/compliance/changes/jobs.ts';
import { changeRoutes } from './domains/compliance/changes/routes.ts';
import { controlJobs } from './domains/compliance/controls/jobs.ts';
import { controlRoutes } from './domains/compliance/controls/routes.ts';
import { digestJobs } from './domains/compliance/digests/jobs.ts';
import { digestRoutes } from './domains/compliance/digests/routes.ts';
import { evidenceDestinationJobs } from './domains/compliance/evidence-destinations/jobs.ts';
import { evidenceDestinationRoutes } from './domains/compliance/evidence-destinations/routes.ts';
import { frameworkRoutes } from './domains/compliance/frameworks/routes.ts';
import { hostAccessRoutes } from './domains/compliance/host-access/routes.ts';
import { policyJobs } from './domains/compliance/policies/jobs.ts';
import { policyRoutes } from './domains/compliance/policies/routes.ts';
import { remediationRoutes } from './domains/compliance/remediations/routes.ts';
import { snapshotJobs } from './domains/compliance/snapshots/jobs.ts';
import { snapshotRoutes } from './domains/compliance/snapshots/routes.ts';
import { chatJobs } from './domains/delivery/chat/jobs.ts';
import { chatRoutes } from './domains/delivery/chat/routes.ts';
import { notificationJobs } from './domains/delivery/notifications/jobs.ts';
import { notificationRoutes } from './domains/delivery/notifications/routes.ts';
import { outboxRoutes } from './domains/delivery/outbox/routes.ts';
import { outgoingWebhookJobs } from './domains/delivery/outgoing-webhooks/jobs.ts';
import { outgoingWebhookRoutes } from './domains/delivery/outgoing-webhooks/routes.ts';
import { accessKeyRoutes } from './domains/identity/access-keys/routes.ts';
import { accountRoutes } from './domains/identity/accounts/routes.ts';
import { identityJobs } from './domains/identity/authentication/jobs.ts';
import { identityRoutes } from './domains/identity/authentication/routes.ts';
import { extensionRoutes } from './domains/identity/extensions/routes.ts';
import { flagJobs } from './domains/identity/flags/jobs.ts';
import { flagsRoutes } from './domains/identity/flags/routes.ts';
import { picturesRoutes } from './domains/identity/pictures/routes.ts';
import { samlRoutes } from './domains/identity/saml/routes.ts';
import { secondFactorRoutes } from './domains/identity/second-factors/routes.ts';
import { sessionRoutes } from './domains/identity/sessions/routes.ts';
import { confirmAddressRoutes } from './domains/ledger/ledger/anchors/confirm-routes.ts';
import { anchorJobs } from './domains/ledger/ledger/anchors/jobs.ts';
import { anchorRoutes } from './domains/ledger/ledger/anchors/routes.ts';
import { ledgerJobs } from './domains/ledger/ledger/jobs.ts';
import { ledgerRoutes } from './domains/ledger/ledger/routes.ts';
import { ownerMailJobs } from './domains/organization/audit/owner-mails.ts';
import { auditRoutes } from './domains/organization/audit/routes.ts';
import { auditStreamJobs } from './domains/organization/audit-streams/jobs.ts';
import { auditStreamRoutes } from './domains/organization/audit-streams/routes.ts';
import { demoJobs } from './domains/organization/demo/jobs.ts';
import { demoRoutes } from './domains/organization/demo/routes.ts';
import { directoryJobs } from './domains/organization/directory/jobs.ts';
import { directoryRoutes } from './domains/organization/directory/routes.ts';
import { erasureJobs } from './domains/organization/erasure/jobs.ts';
import { erasureRoutes } from './domains/organization/erasure/routes.ts';
import { invitationJobs } from './domains/organization/invitations/jobs.ts';
import { invitationsRoutes } from './domains/organization/invitations/routes.ts';
import { membersRoutes } from './domains/organization/members/routes.ts';
import { organizationSecurityRoutes } from './domains/organization/organization-security/routes.ts';
import { organizationRoutes } from './domains/organization/organizations/routes.ts';
import { personalDataRoutes } from './domains/organization/personal-data/routes.ts';
import { rolesRoutes } from './domains/organization/roles/routes.ts';
import { documentationRoutes } from './domains/platform/documentation/routes.ts';
import { healthRoutes } from './domains/platform/health/routes.ts';
import { legalRoutes } from './domains/platform/legal/routes.ts';
import { mcpRoutes } from './domains/platform/mcp/routes.ts';
import { operatorRoutes } from './domains/platform/operator/routes.ts';
import { webRoutes } from './domains/platform/web/routes.ts';
import { verifyPageRoute } from './domains/platform/web/verify-page.ts';
import { codeHostJobs } from './domains/sources/code-hosts/jobs.ts';
import { contributorJobs } from './domains/sources/contributors/jobs.ts';
import { contributorsRoutes } from './domains/sources/contributors/routes.ts';
import { githubJobs } from './domains/sources/github/jobs.ts';
import { githubRoutes } from './domains/sources/github/routes.ts';
import { githubSetupRoutes } from './domains/sources/github/setup-routes.ts';
import { hostAccessJobs } from './domains/sources/host-access/jobs.ts';
import { hostConnectionRoutes } from './domains/sources/host-connections/routes.ts';
import { hostHookJobs } from './domains/sources/host-hooks/jobs.ts';
import { importJobs } from './domains/sources/imports/jobs.ts';
import { importsRoutes } from './domains/sources/imports/routes.ts';
import { integrationsRoutes } from './domains/sources/integrations/routes.ts';
import { protectionJobs } from './domains/sources/protection/jobs.ts';
import { pullRequestsRoutes } from './domains/sources/pull-requests/routes.ts';
import { reconcileJobs } from './domains/sources/reconcile/jobs.ts';
import { repositoriesRoutes } from './domains/sources/repositories/routes.ts';
import { statusCheckRoutes } from './domains/sources/status-checks/routes.ts';
import { trackerJobs } from './domains/sources/trackers/jobs.ts';
import { trackerRoutes } from './domains/sources/trackers/routes.ts';
import { webhookJobs } from './domains/sources/webhooks/jobs.ts';
import { webhookRoutes } from './domains/sources/webhooks/routes.ts';
import { eventJobs } from './domains/timeline/events/jobs.ts';
import { eventsRoutes } from './domains/timeline/events/routes.ts';
import { exploreRoutes } from './domains/timeline/explore/routes.ts';
import { agentSessionJobs } from './domains/tools/agent-sessions/jobs.ts';
import { agentSessionRoutes } from './domains/tools/agent-sessions/routes.ts';
import { copilotUsageJobs } from './domains/tools/copilot-usage/jobs.ts';
import { copilotUsageRoutes } from './domains/tools/copilot-usage/routes.ts';
import { downloadsRoutes } from './domains/tools/downloads/routes.ts';
import { presenceJobs } from './domains/tools/presence/jobs.ts';
import { presenceRoutes } from './domains/tools/presence/routes.ts';
import { iconRoutes } from './domains/tools/tools/icons.ts';
import { toolJobs } from './domains/tools/tools/jobs.ts';
import { toolsRoutes } from './domains/tools/tools/routes.ts';
import { alertJobs } from './domains/vulnerabilities/alerts/jobs.ts';
import { alertRoutes } from './domains/vulnerabilities/alerts/routes.ts';
import { findingsJobs } from './domains/vulnerabilities/findings/jobs.ts';
import { findingsRoutes } from './domains/vulnerabilities/findings/routes.ts';
import { originJobs } from './domains/vulnerabilities/origins/jobs.ts';
import { sarifJobs } from './domains/vulnerabilities/sarif/jobs.ts';
import { sarifRoutes } from './domains/vulnerabilities/sarif/routes.ts';
import { scannerJobs } from './domains/vulnerabilities/scanners/jobs.ts';
import { scannerRoutes } from './domains/vulnerabilities/scanners/routes.ts';
import { scanRoutes } from './domains/vulnerabilities/scans/routes.ts';
import { triageRoutes } from './domains/vulnerabilities/triage/routes.ts';
import { waiverJobs } from './domains/vulnerabilities/waivers/jobs.ts';
import { waiverRoutes } from './domains/vulnerabilities/waivers/routes.ts';
import { resumeJobs } from './resume.ts';

/** Builds the app from all features, in order. */
export async function buildApp(services: Services, keys: SigningKeys): Promise<FastifyInstance> {
  const app = createHttp(services.config, services.log);
  allowCorsOrigins(app, services.config.CORS_ORIGINS);
  limitAddresses(app, services);
  measureRequests(app, services);
  if (services.tracer) traceRequests(app, services.tracer, services.config.TRUST_PROXY !== false);
  services.realtime.attach(app.server, {
    origin: services.config.PUBLIC_URL,
    isOwnHost: createHostCheck(services.config),
    addressOf: createClientAddress(services.config.TRUST_PROXY),
    verifyToken: services.verifyToken,
    verifyExtensionToken: services.verifyExtensionToken,
    memberships: services.memberships,
  });
  app.addHook('preClose', () => services.realtime.disconnect());
  await addRoutes(app, services, keys);
  return app;
}

/** The routes of all features. Those of the pages are last, since they answer what no other does. */
async function addRoutes(app: FastifyInstance, services: Services, keys: SigningKeys): Promise<void> {
  healthRoutes(app, services);
  documentationRoutes(app, services);
  flagsRoutes(app, services);
  identityRoutes(app, services, keys);
  samlRoutes(app, services);
  outboxRoutes(app, services);
  legalRoutes(app, services);
  accountRoutes(app, services);
  presenceRoutes(app, services);
  sessionRoutes(app, services);
  secondFactorRoutes(app, services);
  organizationSecurityRoutes(app, services);
  downloadsRoutes(app, services);
  picturesRoutes(app, services);
  extensionRoutes(app, services, keys);
  organizationRoutes(app, services);
  rolesRoutes(app, services);
  membersRoutes(app, services);
  invitationsRoutes(app, services);
  githubRoutes(app, services);
  await githubSetupRoutes(app, services);
  hostConnectionRoutes(app, services);
  await statusCheckRoutes(app, services);
  await integrationsRoutes(app, services);
  await webhookRoutes(app, services);
  await trackerRoutes(app, services);
  await scannerRoutes(app, services);
  repositoriesRoutes(app, services);
  importsRoutes(app, services);
  pullRequestsRoutes(app, services);
  contributorsRoutes(app, services);
  alertRoutes(app, services);
  findingsRoutes(app, services);
  triageRoutes(app, services);
  policyRoutes(app, services);
  waiverRoutes(app, services);
  digestRoutes(app, services);
  accessKeyRoutes(app, services);
  outgoingWebhookRoutes(app, services);
  await chatRoutes(app, services);
  sarifRoutes(app, services);
  scanRoutes(app, services);
  eventsRoutes(app, services);
  exploreRoutes(app, services);
  toolsRoutes(app, services);
  iconRoutes(app);
  await agentSessionRoutes(app, services);
  copilotUsageRoutes(app, services);
  auditRoutes(app, services);
  auditStreamRoutes(app, services);
  ledgerRoutes(app, services);
  anchorRoutes(app, services);
  await confirmAddressRoutes(app, services);
  demoRoutes(app, services);
  await directoryRoutes(app, services);
  erasureRoutes(app, services);
  personalDataRoutes(app, services);
  changeRoutes(app, services);
  agentReconciliationRoutes(app, services);
  controlRoutes(app, services);
  remediationRoutes(app, services);
  snapshotRoutes(app, services);
  evidenceDestinationRoutes(app, services);
  portalRoutes(app, services);
  accessReviewRoutes(app, services);
  hostAccessRoutes(app, services);
  frameworkRoutes(app, services);
  notificationRoutes(app, services);
  operatorRoutes(app, services);
  await mcpRoutes(app, services);
  await verifyPageRoute(app);
  await webRoutes(app, services);
}

/** Serves health and metrics alone, on METRICS_PORT, in every role. Returns undefined if no port is set. */
export async function listenForMetrics(services: Services): Promise<FastifyInstance | undefined> {
  const { METRICS_PORT: port, listenHost: host } = services.config;
  if (port === undefined) return undefined;
  const app = createHttp(services.config, services.log);
  limitAddresses(app, services);
  healthRoutes(app, services);
  await app.listen({ port, host });
  return app;
}

/** Returns every background job of the product. */
export function backgroundJobsOf(services: Services): JobDefinition[] {
  return [
    ...identityJobs(services),
    ...invitationJobs(services),
    ...codeHostJobs(services),
    ...hostHookJobs(services),
    ...githubJobs(services),
    ...reconcileJobs(services),
    ...changeJobs(services),
    ...protectionJobs(services),
    ...hostAccessJobs(services),
    ...webhookJobs(services),
    ...trackerJobs(services),
    ...scannerJobs(services),
    ...importJobs(services),
    ...waiverJobs(services),
    ...policyJobs(services),
    ...alertJobs(services),
    ...presenceJobs(services),
    ...originJobs(services),
    ...eventJobs(services),
    ...flagJobs(services),
    ...sarifJobs(services),
    ...findingsJobs(services),
    ...toolJobs(services),
    ...agentSessionJobs(services),
    ...copilotUsageJobs(services),
    ...contributorJobs(services),
    ...notificationJobs(services),
    ...outgoingWebhookJobs(services),
    ...chatJobs(services),
    ...ledgerJobs(services),
    ...anchorJobs(services),
    ...auditStreamJobs(services),
    ...ownerMailJobs(services),
    ...demoJobs(services),
    ...directoryJobs(services),
    ...erasureJobs(services),
    ...controlJobs(services),
    ...snapshotJobs(services),
    ...evidenceDestinationJobs(services),
    ...portalJobs(services),
    ...digestJobs(services),
    ...accessReviewJobs(services),
    ...resumeJobs(services),
  ];
}
