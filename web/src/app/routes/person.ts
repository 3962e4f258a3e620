import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
import { authorizeRules } from '#lib/site.ts';
import { AccountFrame } from '../AccountFrame.tsx';
import { preloadShell, signedInRoute } from './parents.tsx';

export const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'account',
  loader: preloadShell,
  component: AccountFrame,
});

export const accountRoutes = [
  createRoute({
    getParentRoute: () => accountRoute,
    path: '/account',
    component: lazyRouteComponent(() => import('#domains/identity/accounts/AccountPage.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => accountRoute,
    path: '/operator/$',
    component: lazyRouteComponent(() => import('#domains/platform/operator/OperatorRoute.tsx'), 'OperatorRoute'),
  }),
];

export const focusRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/onboarding',
    beforeLoad: () => {
      throw redirect({ href: '/onboarding/setup/1', replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/onboarding/setup/$step',
    component: lazyRouteComponent(() => import('#domains/organization/onboarding/SetupPage.tsx'), 'SetupPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/authorize/$scheme',
    beforeLoad: ({ params: { scheme } }) => {
      if (scheme !== 'browser' && !authorizeRules().schemes.includes(scheme)) throw notFound();
    },
    component: lazyRouteComponent(() => import('../AuthorizeRoute.tsx'), 'AuthorizeRoute'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/link',
    component: lazyRouteComponent(() => import('#domains/identity/authentication/LinkPage.tsx'), 'LinkPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/_/integrations/$provider',
    component: lazyRouteComponent(() => import('../HostCallbackRoute.tsx'), 'HostCallbackRoute'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/_/integrations/github',
    component: lazyRouteComponent(
      () => import('#domains/organization/onboarding/GithubCallbackPage.tsx'),
      'GithubCallbackPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/organizations',
    component: lazyRouteComponent(
      () => import('#domains/organization/organizations/OrganizationsPage.tsx'),
      'OrganizationsPage',
    ),
  }),
];
