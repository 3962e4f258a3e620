import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { BehindFlag } from '../BehindFlag.tsx';
import { organizationRoute } from './parents.tsx';

const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/organization',
  component: lazyRouteComponent(
    () => import('#domains/organization/organizations/OrganizationLayout.tsx'),
    'OrganizationLayout',
  ),
});

const accessKeysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  id: 'access-keys-flag',
  component: () => <BehindFlag flag="vulnerabilities" />,
});

// Spec 2.2: settings is the default section.
const sections = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/',
    beforeLoad: () => {
      throw redirect({ href: '/organization/settings', replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('#domains/organization/organizations/SettingsPage.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/repositories',
    component: lazyRouteComponent(
      () => import('#domains/sources/repositories/OrganizationRepositoriesPage.tsx'),
      'OrganizationRepositoriesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/members',
    component: lazyRouteComponent(() => import('#domains/organization/members/MembersPage.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/erasures',
    component: lazyRouteComponent(() => import('#domains/organization/erasure/ErasuresPage.tsx'), 'ErasuresPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('#domains/delivery/outgoing-webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  }),
  accessKeysRoute.addChildren([
    createRoute({
      getParentRoute: () => accessKeysRoute,
      path: '/access-keys',
      component: lazyRouteComponent(() => import('#domains/identity/access-keys/AccessKeysPage.tsx'), 'AccessKeysPage'),
    }),
  ]),
];

export const settingsRoutes = [
  settingsRoute.addChildren(sections),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/organization/webhooks/$webhookId',
    component: lazyRouteComponent(() => import('#domains/delivery/outgoing-webhooks/WebhookPage.tsx'), 'WebhookPage'),
  }),
];
