import { controlIds } from '@sightline/contract/controls.ts';
import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { NotFoundNotice } from '../NotFoundPage.tsx';
import { organizationRoute } from './parents.tsx';

export const evidenceRoutes = [
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/changes',
    component: lazyRouteComponent(() => import('#features/changes/ChangesPage.tsx'), 'ChangesPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/changes/$changeId',
    component: lazyRouteComponent(() => import('#features/changes/ChangePage.tsx'), 'ChangePage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/digests',
    component: lazyRouteComponent(() => import('#features/digests/DigestsPage.tsx'), 'DigestsPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/digests/$digestId',
    component: lazyRouteComponent(() => import('#features/digests/DigestPage.tsx'), 'DigestPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/evidence',
    component: lazyRouteComponent(() => import('#features/evidence/EvidencePage.tsx'), 'EvidencePage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/evidence/access-reviews',
    component: lazyRouteComponent(() => import('#features/access-reviews/AccessReviewsPage.tsx'), 'AccessReviewsPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/evidence/access-reviews/$reviewId',
    component: lazyRouteComponent(() => import('#features/access-reviews/AccessReviewPage.tsx'), 'AccessReviewPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/evidence/snapshots',
    component: lazyRouteComponent(() => import('#features/snapshots/SnapshotsPage.tsx'), 'SnapshotsPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/evidence/snapshots/$snapshotId',
    component: lazyRouteComponent(() => import('#features/snapshots/SnapshotPage.tsx'), 'SnapshotPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/evidence/controls/$controlId',
    beforeLoad: ({ params }) => {
      if (!controlIds.some((id) => id === params.controlId)) throw notFound();
    },
    component: lazyRouteComponent(() => import('#features/evidence/control/ControlPage.tsx'), 'ControlPage'),
    notFoundComponent: NotFoundNotice,
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/policies',
    component: lazyRouteComponent(() => import('#features/policies/PoliciesPage.tsx'), 'PoliciesPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/policies/new',
    component: lazyRouteComponent(() => import('#features/policies/NewPolicyPage.tsx'), 'NewPolicyPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/policies/$policyId',
    component: lazyRouteComponent(() => import('#features/policies/PolicyPage.tsx'), 'PolicyPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/exceptions',
    component: lazyRouteComponent(() => import('#features/exceptions/ExceptionsPage.tsx'), 'ExceptionsPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/exceptions/new',
    component: lazyRouteComponent(() => import('#features/exceptions/RequestPage.tsx'), 'RequestPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/ledger',
    component: lazyRouteComponent(() => import('#features/ledger/LedgerPage.tsx'), 'LedgerPage'),
  }),
];
