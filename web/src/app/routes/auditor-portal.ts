import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './parents.tsx';

// Nobody is signed in here: a cookie of its own opens one room (docs/decisions/0051).
const roomRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/room/$roomId',
  component: lazyRouteComponent(() => import('#domains/compliance/auditor-portals/portal/RoomFrame.tsx'), 'RoomFrame'),
});

export const roomRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/room',
    component: lazyRouteComponent(
      () => import('#domains/compliance/auditor-portals/portal/EnterPage.tsx'),
      'EnterPage',
    ),
  }),
  roomRoute.addChildren([
    createRoute({
      getParentRoute: () => roomRoute,
      path: '/',
      component: lazyRouteComponent(
        () => import('#domains/compliance/auditor-portals/portal/RoomHome.tsx'),
        'RoomHome',
      ),
    }),
    createRoute({
      getParentRoute: () => roomRoute,
      path: '/snapshots/$snapshotId',
      component: lazyRouteComponent(
        () => import('#domains/compliance/auditor-portals/portal/RoomSnapshotPage.tsx'),
        'RoomSnapshotPage',
      ),
    }),
    createRoute({
      getParentRoute: () => roomRoute,
      path: '/snapshots/$snapshotId/controls/$controlId',
      component: lazyRouteComponent(
        () => import('#domains/compliance/auditor-portals/portal/RoomControlPage.tsx'),
        'RoomControlPage',
      ),
    }),
    createRoute({
      getParentRoute: () => roomRoute,
      path: '/snapshots/$snapshotId/changes/$entry',
      component: lazyRouteComponent(
        () => import('#domains/compliance/auditor-portals/portal/RoomChangePage.tsx'),
        'RoomChangePage',
      ),
    }),
  ]),
];
