import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './parents.tsx';

// Without an account: a separate cookie authorizes one portal (docs/decisions/0051).
const portalRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/portal/$portalId',
  component: lazyRouteComponent(
    () => import('#domains/compliance/auditor-portals/portal/PortalFrame.tsx'),
    'PortalFrame',
  ),
});

export const portalRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/portal',
    component: lazyRouteComponent(
      () => import('#domains/compliance/auditor-portals/portal/EnterPage.tsx'),
      'EnterPage',
    ),
  }),
  portalRoute.addChildren([
    createRoute({
      getParentRoute: () => portalRoute,
      path: '/',
      component: lazyRouteComponent(
        () => import('#domains/compliance/auditor-portals/portal/PortalHome.tsx'),
        'PortalHome',
      ),
    }),
    createRoute({
      getParentRoute: () => portalRoute,
      path: '/snapshots/$snapshotId',
      component: lazyRouteComponent(
        () => import('#domains/compliance/auditor-portals/portal/PortalSnapshotPage.tsx'),
        'PortalSnapshotPage',
      ),
    }),
    createRoute({
      getParentRoute: () => portalRoute,
      path: '/snapshots/$snapshotId/controls/$controlId',
      component: lazyRouteComponent(
        () => import('#domains/compliance/auditor-portals/portal/PortalControlPage.tsx'),
        'PortalControlPage',
      ),
    }),
    createRoute({
      getParentRoute: () => portalRoute,
      path: '/snapshots/$snapshotId/records/$kind',
      component: lazyRouteComponent(
        () => import('#domains/compliance/auditor-portals/portal/PortalRecordsPage.tsx'),
        'PortalRecordsPage',
      ),
    }),
    createRoute({
      getParentRoute: () => portalRoute,
      path: '/samples/$sampleId',
      component: lazyRouteComponent(
        () => import('#domains/compliance/auditor-portals/portal/PortalSamplePage.tsx'),
        'PortalSamplePage',
      ),
    }),
    createRoute({
      getParentRoute: () => portalRoute,
      path: '/snapshots/$snapshotId/changes/$entry',
      component: lazyRouteComponent(
        () => import('#domains/compliance/auditor-portals/portal/PortalChangePage.tsx'),
        'PortalChangePage',
      ),
    }),
  ]),
];
