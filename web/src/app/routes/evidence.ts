import { controlIds } from '@sightline/contract/core/control-ids.ts';
import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { NotFoundNotice } from '../NotFoundPage.tsx';
import { organizationRoute } from './parents.tsx';

// Pages that auditors rely on and print, each with its ledger integrity.
const auditViewRoute = createRoute({
  getParentRoute: () => organizationRoute,
  id: 'audit-view',
  component: lazyRouteComponent(() => import('../AuditView.tsx'), 'AuditView'),
});

const auditViewRoutes = [
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/changes',
    component: lazyRouteComponent(() => import('#domains/compliance/changes/ChangesPage.tsx'), 'ChangesPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/changes/$changeId',
    component: lazyRouteComponent(() => import('#domains/compliance/changes/ChangePage.tsx'), 'ChangePage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/digests',
    component: lazyRouteComponent(() => import('#domains/compliance/digests/DigestsPage.tsx'), 'DigestsPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/digests/$digestId',
    component: lazyRouteComponent(() => import('#domains/compliance/digests/DigestPage.tsx'), 'DigestPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/evidence',
    component: lazyRouteComponent(() => import('#domains/compliance/controls/EvidencePage.tsx'), 'EvidencePage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/evidence/frameworks',
    component: lazyRouteComponent(() => import('#domains/compliance/frameworks/FrameworksPage.tsx'), 'FrameworksPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/evidence/frameworks/$frameworkId',
    component: lazyRouteComponent(() => import('#domains/compliance/frameworks/FrameworkPage.tsx'), 'FrameworkPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/evidence/access-reviews',
    component: lazyRouteComponent(
      () => import('#domains/compliance/access-reviews/AccessReviewsPage.tsx'),
      'AccessReviewsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/evidence/access-reviews/$reviewId',
    component: lazyRouteComponent(
      () => import('#domains/compliance/access-reviews/AccessReviewPage.tsx'),
      'AccessReviewPage',
    ),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/evidence/access-reviews/$reviewId/code-hosts',
    component: lazyRouteComponent(
      () => import('#domains/compliance/access-reviews/AccessReviewHostPage.tsx'),
      'AccessReviewHostPage',
    ),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/evidence/host-access',
    component: lazyRouteComponent(() => import('#domains/compliance/host-access/HostAccessPage.tsx'), 'HostAccessPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/evidence/host-access/duties',
    component: lazyRouteComponent(() => import('#domains/compliance/host-access/DutiesPage.tsx'), 'DutiesPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/evidence/snapshots',
    component: lazyRouteComponent(() => import('#domains/compliance/snapshots/SnapshotsPage.tsx'), 'SnapshotsPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/evidence/snapshots/$snapshotId',
    component: lazyRouteComponent(() => import('#domains/compliance/snapshots/SnapshotPage.tsx'), 'SnapshotPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/evidence/auditor-portals',
    component: lazyRouteComponent(() => import('#domains/compliance/auditor-portals/PortalsPage.tsx'), 'PortalsPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/evidence/auditor-portals/$portalId',
    component: lazyRouteComponent(() => import('#domains/compliance/auditor-portals/PortalPage.tsx'), 'PortalPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/evidence/auditor-portals/$portalId/samples/$sampleId',
    component: lazyRouteComponent(
      () => import('#domains/compliance/auditor-portals/PortalSampleRowsPage.tsx'),
      'PortalSampleRowsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/evidence/controls/$controlId',
    beforeLoad: ({ params }) => {
      if (!controlIds.some((id) => id === params.controlId)) throw notFound();
    },
    component: lazyRouteComponent(() => import('#domains/compliance/controls/control/ControlPage.tsx'), 'ControlPage'),
    notFoundComponent: NotFoundNotice,
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/policies',
    component: lazyRouteComponent(() => import('#domains/compliance/policies/PoliciesPage.tsx'), 'PoliciesPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/policies/new',
    component: lazyRouteComponent(() => import('#domains/compliance/policies/NewPolicyPage.tsx'), 'NewPolicyPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/policies/changes',
    component: lazyRouteComponent(
      () => import('#domains/compliance/policies/PolicyChangesPage.tsx'),
      'PolicyChangesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/policies/$policyId',
    component: lazyRouteComponent(() => import('#domains/compliance/policies/PolicyPage.tsx'), 'PolicyPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/remediations',
    component: lazyRouteComponent(
      () => import('#domains/compliance/controls/remediations/RemediationsPage.tsx'),
      'RemediationsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/waivers',
    component: lazyRouteComponent(() => import('#domains/vulnerabilities/waivers/WaiversPage.tsx'), 'WaiversPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/ledger',
    component: lazyRouteComponent(() => import('#domains/ledger/ledger/LedgerPage.tsx'), 'LedgerPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/ledger/keys',
    component: lazyRouteComponent(() => import('#domains/ledger/ledger/SigningKeysPage.tsx'), 'SigningKeysPage'),
  }),
  createRoute({
    getParentRoute: () => auditViewRoute,
    path: '/audit',
    component: lazyRouteComponent(() => import('#domains/organization/audit/AuditPage.tsx'), 'AuditPage'),
  }),
];

const auditStreamsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/audit/streams',
  component: lazyRouteComponent(
    () => import('#domains/organization/audit-streams/AuditStreamsPage.tsx'),
    'AuditStreamsPage',
  ),
});

const evidenceDestinationRoutes = [
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/evidence/destinations',
    component: lazyRouteComponent(
      () => import('#domains/compliance/evidence-destinations/EvidenceDestinationsPage.tsx'),
      'EvidenceDestinationsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/evidence/destinations/$destinationId',
    component: lazyRouteComponent(
      () => import('#domains/compliance/evidence-destinations/EvidenceDestinationPage.tsx'),
      'EvidenceDestinationPage',
    ),
  }),
];

export const evidenceRoutes = [
  auditViewRoute.addChildren(auditViewRoutes),
  auditStreamsRoute,
  ...evidenceDestinationRoutes,
];
