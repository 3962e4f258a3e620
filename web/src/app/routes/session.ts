import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
import { isNonProduction } from '#lib/site.ts';
import { rootRoute } from './parents.tsx';

const toRoot = () => {
  throw redirect({ to: '/', replace: true });
};

export const sessionRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    component: lazyRouteComponent(() => import('#domains/identity/authentication/SignInPage.tsx'), 'LoginPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/signup',
    component: lazyRouteComponent(() => import('#domains/identity/authentication/SignInPage.tsx'), 'SignupPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/invitation',
    beforeLoad: ({ search }) => {
      if (!search.invitation || !search.organization) toRoot();
    },
    component: lazyRouteComponent(() => import('#domains/identity/authentication/SignInPage.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/auth',
    component: lazyRouteComponent(() => import('#domains/identity/authentication/CallbackPage.tsx'), 'CallbackPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/auth/verify',
    component: lazyRouteComponent(() => import('#domains/identity/authentication/VerifyPage.tsx'), 'VerifyPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/logout',
    component: lazyRouteComponent(() => import('#domains/identity/authentication/LogoutPage.tsx'), 'LogoutPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/authorize/browser/done',
    component: lazyRouteComponent(() => import('#domains/identity/extensions/DonePage.tsx'), 'DonePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/testing',
    // Spec 2.1, as clarified in its answers: in production the page does not exist and stores nothing.
    beforeLoad: () => {
      if (!isNonProduction()) throw notFound();
    },
    component: lazyRouteComponent(() => import('#domains/identity/authentication/TestingPage.tsx'), 'TestingPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/docs',
    beforeLoad: ({ location: { hash } }) => {
      throw redirect({ to: '/docs/$page', params: { page: 'getting-started' }, hash, replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/docs/$page',
    component: lazyRouteComponent(() => import('#domains/platform/documentation/DocsPage.tsx'), 'DocsPage'),
  }),
  createRoute({ getParentRoute: () => rootRoute, path: '/app', beforeLoad: toRoot }),
  createRoute({ getParentRoute: () => rootRoute, path: '/app/$', beforeLoad: toRoot }),
];
