import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { BehindFlag } from '../BehindFlag.tsx';
import { isHandle } from '../handles.ts';
import { NotFoundNotice } from '../NotFoundPage.tsx';
import { prefetchHome } from '../prefetch.ts';
import { organizationRoute } from './parents.tsx';

// Spec 6: Repositories and Explore.
const releaseTwoRoute = createRoute({
  getParentRoute: () => organizationRoute,
  id: 'release2',
  component: () => <BehindFlag flag="release2" />,
});

const releaseTwoRoutes = [
  createRoute({
    getParentRoute: () => releaseTwoRoute,
    path: '/repositories',
    component: lazyRouteComponent(
      () => import('#domains/sources/repositories/RepositoriesPage.tsx'),
      'RepositoriesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => releaseTwoRoute,
    path: '/repository/$repositoryId',
    component: lazyRouteComponent(
      () => import('#domains/sources/repositories/RepositoryByIdPage.tsx'),
      'RepositoryByIdPage',
    ),
  }),
  createRoute({
    getParentRoute: () => releaseTwoRoute,
    // Includes an owner, since a single segment is the route above.
    path: '/repository/$provider/$owner/$',
    component: lazyRouteComponent(() => import('../RepositoryRoute.tsx'), 'RepositoryRoute'),
  }),
  createRoute({
    getParentRoute: () => releaseTwoRoute,
    path: '/explore',
    component: lazyRouteComponent(() => import('#domains/timeline/explore/ExplorePage.tsx'), 'ExplorePage'),
  }),
];

// Spec 2.2: both are behind their flag.
const vulnerabilitiesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  id: 'vulnerabilities',
  component: () => <BehindFlag flag="vulnerabilities" />,
});

const vulnerabilitiesRoutes = [
  createRoute({
    getParentRoute: () => vulnerabilitiesRoute,
    path: '/vulnerabilities',
    component: lazyRouteComponent(
      () => import('#domains/vulnerabilities/findings/VulnerabilitiesPage.tsx'),
      'VulnerabilitiesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => vulnerabilitiesRoute,
    path: '/vulnerabilities/$findingId',
    component: lazyRouteComponent(
      () => import('#domains/vulnerabilities/findings/detail/VulnerabilityPage.tsx'),
      'VulnerabilityPage',
    ),
  }),
];

// Spec 2.2: the settings are behind their flag, like notifications themselves.
const notificationsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  id: 'notifications',
  component: () => <BehindFlag flag="notificationSystem" />,
});

const notificationsRoutes = [
  createRoute({
    getParentRoute: () => notificationsRoute,
    path: '/notifications',
    component: lazyRouteComponent(() => import('#domains/delivery/notifications/InboxPage.tsx'), 'InboxPage'),
  }),
  createRoute({
    getParentRoute: () => notificationsRoute,
    path: '/notification/settings',
    component: lazyRouteComponent(
      () => import('#domains/delivery/notifications/SettingsPage.tsx'),
      'NotificationSettingsPage',
    ),
  }),
];

export const organizationRoutes = [
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/',
    loader: prefetchHome,
    component: lazyRouteComponent(() => import('#domains/platform/home/HomePage.tsx'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/tools',
    component: lazyRouteComponent(() => import('#domains/tools/tools/ToolsPage.tsx'), 'ToolsPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/tools/$toolId',
    component: lazyRouteComponent(() => import('#domains/tools/tools/ToolPage.tsx'), 'ToolPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/agent-configuration',
    component: lazyRouteComponent(
      () => import('#domains/tools/tools/AgentConfigurationPage.tsx'),
      'AgentConfigurationPage',
    ),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/agent-sessions',
    component: lazyRouteComponent(
      () => import('#domains/tools/agent-sessions/AgentSessionsPage.tsx'),
      'AgentSessionsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/agent-sessions/setup',
    component: lazyRouteComponent(() => import('#domains/tools/agent-sessions/AgentSetupPage.tsx'), 'AgentSetupPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/agent-sessions/copilot',
    component: lazyRouteComponent(
      () => import('#domains/tools/copilot-usage/CopilotUsagePage.tsx'),
      'CopilotUsagePage',
    ),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/agent-sessions/$sessionId',
    component: lazyRouteComponent(
      () => import('#domains/tools/agent-sessions/AgentSessionPage.tsx'),
      'AgentSessionPage',
    ),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/agent-reconciliation',
    component: lazyRouteComponent(
      () => import('#domains/compliance/agent-reconciliation/AgentReconciliationPage.tsx'),
      'AgentReconciliationPage',
    ),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/agent-reconciliation/$group',
    component: lazyRouteComponent(
      () => import('#domains/compliance/agent-reconciliation/ReconciliationGroupsPage.tsx'),
      'ReconciliationGroupsPage',
    ),
  }),
  releaseTwoRoute.addChildren(releaseTwoRoutes),
  vulnerabilitiesRoute.addChildren(vulnerabilitiesRoutes),
  notificationsRoute.addChildren(notificationsRoutes),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/me/personal-data',
    component: lazyRouteComponent(
      () => import('#domains/organization/personal-data/PersonalDataPage.tsx'),
      'PersonalDataPage',
    ),
  }),
];

// Last, since it matches everything else. A login is one valid segment; all other paths are not found.
export const profileRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/$handle',
  beforeLoad: ({ params }) => {
    if (!isHandle(params.handle)) throw notFound();
  },
  notFoundComponent: NotFoundNotice,
  component: lazyRouteComponent(() => import('#domains/identity/profile/ProfilePage.tsx'), 'ProfilePage'),
});
