import type { FastifyInstance } from 'fastify';
import { createClientAddress } from '#core/client-address.ts';
import { createHostCheck } from '#core/hosts.ts';
import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import type { SigningKeys } from '#core/signing-keys.ts';
import { letOriginsCall } from './core/cors.ts';
import { createHttp } from './core/http.ts';
import { measureRequests } from './core/measured-requests.ts';
import { limitAddresses } from './core/request-limits.ts';
import { traceRequests } from './core/traces.ts';
import { accessKeyRoutes } from './features/access-keys/routes.ts';
import { accessReviewJobs } from './features/access-reviews/jobs.ts';
import { accessReviewRoutes } from './features/access-reviews/routes.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import { alertJobs } from './features/alerts/jobs.ts';
import { alertRoutes } from './features/alerts/routes.ts';
import { ownerMailJobs } from './features/audit/owner-mails.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { auditStreamJobs } from './features/audit-streams/jobs.ts';
import { auditStreamRoutes } from './features/audit-streams/routes.ts';
import { changeJobs } from './features/changes/jobs.ts';
import { changeRoutes } from './features/changes/routes.ts';
import { checkmarxJobs } from './features/checkmarx/jobs.ts';
import { checkmarxRoutes } from './features/checkmarx/routes.ts';
import { codeHostJobs } from './features/code-hosts/jobs.ts';
import { collectedRoutes } from './features/collected/routes.ts';
import { contributorJobs } from './features/contributors/jobs.ts';
import { contributorsRoutes } from './features/contributors/routes.ts';
import { controlJobs } from './features/controls/jobs.ts';
import { controlRoutes } from './features/controls/routes.ts';
import { digestJobs } from './features/digests/jobs.ts';
import { digestRoutes } from './features/digests/routes.ts';
import { documentationRoutes } from './features/documentation/routes.ts';
import { downloadsRoutes } from './features/downloads/routes.ts';
import { erasureJobs } from './features/erasure/jobs.ts';
import { erasureRoutes } from './features/erasure/routes.ts';
import { eventJobs } from './features/events/jobs.ts';
import { eventsRoutes } from './features/events/routes.ts';
import { exceptionJobs } from './features/exceptions/jobs.ts';
import { exceptionRoutes } from './features/exceptions/routes.ts';
import { exploreRoutes } from './features/explore/routes.ts';
import { exporterJobs } from './features/exporters/jobs.ts';
import { exporterRoutes } from './features/exporters/routes.ts';
import { extensionRoutes } from './features/extensions/routes.ts';
import { findingsJobs } from './features/findings/jobs.ts';
import { findingsRoutes } from './features/findings/routes.ts';
import { flagJobs } from './features/flags/jobs.ts';
import { flagsRoutes } from './features/flags/routes.ts';
import { githubJobs } from './features/github/jobs.ts';
import { githubRoutes } from './features/github/routes.ts';
import { setupRoutes } from './features/github/setup-routes.ts';
import { healthRoutes } from './features/health/routes.ts';
import { hostConnectionRoutes } from './features/host-connections/routes.ts';
import { hostHookJobs } from './features/host-hooks/jobs.ts';
import { identityJobs } from './features/identity/jobs.ts';
import { identityRoutes } from './features/identity/routes.ts';
import { importJobs } from './features/imports/jobs.ts';
import { importsRoutes } from './features/imports/routes.ts';
import { integrationsRoutes } from './features/integrations/routes.ts';
import { invitationJobs } from './features/invitations/jobs.ts';
import { invitationsRoutes } from './features/invitations/routes.ts';
import { confirmAddressRoutes } from './features/ledger/anchors/confirm-routes.ts';
import { anchorJobs } from './features/ledger/anchors/jobs.ts';
import { anchorRoutes } from './features/ledger/anchors/routes.ts';
import { ledgerJobs } from './features/ledger/jobs.ts';
import { ledgerRoutes } from './features/ledger/routes.ts';
import { legalRoutes } from './features/legal/routes.ts';
import { membersRoutes } from './features/members/routes.ts';
import { notificationJobs } from './features/notifications/jobs.ts';
import { notificationRoutes } from './features/notifications/routes.ts';
import { organizationSecurityRoutes } from './features/organization-security/routes.ts';
import { organizationRoutes } from './features/organizations/routes.ts';
import { originJobs } from './features/origins/jobs.ts';
import { outboxRoutes } from './features/outbox/routes.ts';
import { outgoingWebhookJobs } from './features/outgoing-webhooks/jobs.ts';
import { outgoingWebhookRoutes } from './features/outgoing-webhooks/routes.ts';
import { picturesRoutes } from './features/pictures/routes.ts';
import { policyJobs } from './features/policies/jobs.ts';
import { policyRoutes } from './features/policies/routes.ts';
import { presenceJobs } from './features/presence/jobs.ts';
import { presenceRoutes } from './features/presence/routes.ts';
import { protectionJobs } from './features/protection/jobs.ts';
import { pullRequestsRoutes } from './features/pull-requests/routes.ts';
import { reconcileJobs } from './features/reconcile/jobs.ts';
import { repositoriesRoutes } from './features/repositories/routes.ts';
import { rolesRoutes } from './features/roles/routes.ts';
import { roomJobs } from './features/rooms/jobs.ts';
import { roomRoutes } from './features/rooms/routes.ts';
import { sarifJobs } from './features/sarif/jobs.ts';
import { sarifRoutes } from './features/sarif/routes.ts';
import { scanRoutes } from './features/scans/routes.ts';
import { secondFactorRoutes } from './features/second-factors/routes.ts';
import { sessionRoutes } from './features/sessions/routes.ts';
import { snapshotJobs } from './features/snapshots/jobs.ts';
import { snapshotRoutes } from './features/snapshots/routes.ts';
import { statusCheckRoutes } from './features/status-checks/routes.ts';
import { iconRoutes } from './features/tools/icons.ts';
import { toolJobs } from './features/tools/jobs.ts';
import { toolsRoutes } from './features/tools/routes.ts';
import { triageJobs } from './features/triage/jobs.ts';
import { triageRoutes } from './features/triage/routes.ts';
import { webRoutes } from './features/web/routes.ts';
import { verifyPageRoute } from './features/web/verify-page.ts';
import { webhookJobs } from './features/webhooks/jobs.ts';
import { webhookRoutes } from './features/webhooks/routes.ts';
import { resumeJobs } from './resume.ts';

/** The table of contents: every feature, in order. */
export async function buildApp(services: Services, keys: SigningKeys): Promise<FastifyInstance> {
  const app = createHttp(services.config, services.log);
  letOriginsCall(app, services.config.CORS_ORIGINS);
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
  healthRoutes(app, services);
  documentationRoutes(app, services);
  flagsRoutes(app, services);
  identityRoutes(app, services, keys);
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
  await setupRoutes(app, services);
  hostConnectionRoutes(app, services);
  await statusCheckRoutes(app, services);
  await integrationsRoutes(app, services);
  await webhookRoutes(app, services);
  await checkmarxRoutes(app, services);
  repositoriesRoutes(app, services);
  importsRoutes(app, services);
  pullRequestsRoutes(app, services);
  contributorsRoutes(app, services);
  alertRoutes(app, services);
  findingsRoutes(app, services);
  triageRoutes(app, services);
  policyRoutes(app, services);
  exceptionRoutes(app, services);
  digestRoutes(app, services);
  accessKeyRoutes(app, services);
  outgoingWebhookRoutes(app, services);
  sarifRoutes(app, services);
  scanRoutes(app, services);
  eventsRoutes(app, services);
  exploreRoutes(app, services);
  toolsRoutes(app, services);
  iconRoutes(app);
  auditRoutes(app, services);
  auditStreamRoutes(app, services);
  ledgerRoutes(app, services);
  anchorRoutes(app, services);
  await confirmAddressRoutes(app, services);
  erasureRoutes(app, services);
  collectedRoutes(app, services);
  changeRoutes(app, services);
  controlRoutes(app, services);
  snapshotRoutes(app, services);
  exporterRoutes(app, services);
  roomRoutes(app, services);
  accessReviewRoutes(app, services);
  notificationRoutes(app, services);
  await verifyPageRoute(app);
  await webRoutes(app, services);
  return app;
}

/** Health and metrics alone, on METRICS_PORT: of every role, a worker too. Undefined where none is set. */
export async function listenForMetrics(services: Services): Promise<FastifyInstance | undefined> {
  const { METRICS_PORT: port, listenHost: host } = services.config;
  if (port === undefined) return undefined;
  const app = createHttp(services.config, services.log);
  limitAddresses(app, services);
  healthRoutes(app, services);
  await app.listen({ port, host });
  return app;
}

/** Every background job of the product. */
export function jobsOf(services: Services): JobDefinition[] {
  return [
    ...identityJobs(services),
    ...invitationJobs(services),
    ...codeHostJobs(services),
    ...hostHookJobs(services),
    ...githubJobs(services),
    ...reconcileJobs(services),
    ...changeJobs(services),
    ...protectionJobs(services),
    ...webhookJobs(services),
    ...checkmarxJobs(services),
    ...importJobs(services),
    ...triageJobs(services),
    ...exceptionJobs(services),
    ...policyJobs(services),
    ...alertJobs(services),
    ...presenceJobs(services),
    ...originJobs(services),
    ...eventJobs(services),
    ...flagJobs(services),
    ...sarifJobs(services),
    ...findingsJobs(services),
    ...toolJobs(services),
    ...contributorJobs(services),
    ...notificationJobs(services),
    ...outgoingWebhookJobs(services),
    ...ledgerJobs(services),
    ...anchorJobs(services),
    ...auditStreamJobs(services),
    ...ownerMailJobs(services),
    ...erasureJobs(services),
    ...controlJobs(services),
    ...snapshotJobs(services),
    ...exporterJobs(services),
    ...roomJobs(services),
    ...digestJobs(services),
    ...accessReviewJobs(services),
    ...resumeJobs(services),
  ];
}
