import { integrationCategories } from '@sightline/contract/sources/integrations.ts';
import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { BehindFlag } from '../BehindFlag.tsx';
import { NotFoundNotice } from '../NotFoundPage.tsx';
import { organizationRoute } from './parents.tsx';

const integrationsPage = lazyRouteComponent(
  () => import('#domains/sources/integrations/IntegrationsPage.tsx'),
  'IntegrationsPage',
);

// Spec 2.7: a separate category, behind the flag only.
const scannersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  id: 'scanners',
  component: () => <BehindFlag flag="vulnerabilities" />,
});

const scannersRoutes = [
  createRoute({
    getParentRoute: () => scannersRoute,
    path: '/integrations/security-scanners',
    component: integrationsPage,
  }),
  createRoute({
    getParentRoute: () => scannersRoute,
    path: '/integrations/security-scanners/$scanner',
    component: lazyRouteComponent(
      () => import('#domains/sources/integrations/scanner/ScannerRoute.tsx'),
      'ScannerRoute',
    ),
    notFoundComponent: NotFoundNotice,
  }),
];

export const integrationsRoutes = [
  createRoute({ getParentRoute: () => organizationRoute, path: '/integrations', component: integrationsPage }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/integrations/directories/directory',
    component: lazyRouteComponent(
      () => import('#domains/sources/integrations/directory/DirectoryPage.tsx'),
      'DirectoryPage',
    ),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/integrations/$category',
    beforeLoad: ({ params }) => {
      if (!integrationCategories.some((category) => category === params.category)) throw notFound();
    },
    component: integrationsPage,
    notFoundComponent: NotFoundNotice,
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/integrations/chat/$service',
    component: lazyRouteComponent(() => import('#domains/sources/integrations/chat/ChatPage.tsx'), 'ChatPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/integrations/chat/channels/$channelId',
    component: lazyRouteComponent(
      () => import('#domains/sources/integrations/chat/ChatChannelPage.tsx'),
      'ChatChannelPage',
    ),
  }),
  scannersRoute.addChildren(scannersRoutes),
];
