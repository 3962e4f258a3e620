import { integrationCategories } from '@sightline/contract/integrations.ts';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { flagsKnown } from '#lib/flags.ts';
import { parseSearch, type Search, stringifySearch } from '#lib/search.ts';
import { currentSession } from '#lib/session.ts';
import { authorizeRules, isTrial, legal } from '#lib/site.ts';
import { storePath } from '#lib/site-path.ts';
import { AccountFrame } from './AccountFrame.tsx';
import { askAhead, askAheadForHome } from './ahead.ts';
import { BehindFlag } from './BehindFlag.tsx';
import { ErrorHost } from './ErrorHost.tsx';
import { isHandle } from './handles.ts';
import { NotFoundNotice, NotFoundPage } from './NotFoundPage.tsx';
import { OrganizationFrame } from './OrganizationFrame.tsx';
import { PageFailure } from './PageFailure.tsx';
import { RouterLinks } from './RouterLinks.tsx';

const rootRoute = createRootRoute({
  // Strings as they stand in the address; a page reads its own with `useUrlQuery`.
  validateSearch: (search: Search) => search,
  component: () => (
    <RouterLinks>
      <Outlet />
      <ErrorHost />
    </RouterLinks>
  ),
  notFoundComponent: () => <NotFoundPage legal={legal} />,
});

const begin = () => {
  askAhead();
  return flagsKnown();
};

const toRoot = () => {
  throw redirect({ to: '/', replace: true });
};

const sessionRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    component: lazyRouteComponent(() => import('#features/session/SignInPage.tsx'), 'LoginPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/signup',
    component: lazyRouteComponent(() => import('#features/session/SignInPage.tsx'), 'SignupPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/invitation',
    beforeLoad: ({ search }) => {
      if (!search.invitation || !search.organization) toRoot();
    },
    component: lazyRouteComponent(() => import('#features/session/SignInPage.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/auth',
    component: lazyRouteComponent(() => import('#features/session/CallbackPage.tsx'), 'CallbackPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/auth/verify',
    component: lazyRouteComponent(() => import('#features/session/VerifyPage.tsx'), 'VerifyPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/logout',
    component: lazyRouteComponent(() => import('#features/session/LogoutPage.tsx'), 'LogoutPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/authorize/browser/done',
    component: lazyRouteComponent(() => import('#features/authorize/DonePage.tsx'), 'DonePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/testing',
    // spec 2.1, and what our answers make of it: in production there is no such page, and nothing is stored.
    beforeLoad: () => {
      if (!isTrial()) throw notFound();
    },
    component: lazyRouteComponent(() => import('#features/session/TestingPage.tsx'), 'TestingPage'),
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
    component: lazyRouteComponent(() => import('#features/docs/DocsPage.tsx'), 'DocsPage'),
  }),
  createRoute({ getParentRoute: () => rootRoute, path: '/app', beforeLoad: toRoot }),
  createRoute({ getParentRoute: () => rootRoute, path: '/app/$', beforeLoad: toRoot }),
];

/** Everything a person must be signed in for. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: ({ location, search, preload }) => {
    const session = currentSession();
    if (!session) {
      if (!preload) storePath('initialUrl', location.href);
      throw redirect({ to: '/login', search: { path: location.href }, replace: true });
    }
    const { organization, ...rest } = search;
    if (organization === undefined) return;
    const path = `${location.pathname}${stringifySearch(rest)}`;
    // spec 4: an organization in the address that is not the token's asks to sign in for it.
    if (organization !== session.organization) {
      throw redirect({ to: '/login', search: { organization, path }, replace: true });
    }
    throw redirect({ href: path, replace: true });
  },
});

const organizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'organization',
  loader: begin,
  component: OrganizationFrame,
});

// spec 6: Repositories and Explore.
const releaseTwoRoute = createRoute({
  getParentRoute: () => organizationRoute,
  id: 'release2',
  component: () => <BehindFlag flag="release2" />,
});

const releaseTwoRoutes = [
  createRoute({
    getParentRoute: () => releaseTwoRoute,
    path: '/repositories',
    component: lazyRouteComponent(() => import('#features/repositories/RepositoriesPage.tsx'), 'RepositoriesPage'),
  }),
  createRoute({
    getParentRoute: () => releaseTwoRoute,
    path: '/repository/$repositoryId',
    component: lazyRouteComponent(() => import('#features/repositories/RepositoryByIdPage.tsx'), 'RepositoryByIdPage'),
  }),
  createRoute({
    getParentRoute: () => releaseTwoRoute,
    path: '/repository/$provider/$',
    component: lazyRouteComponent(() => import('./RepositoryRoute.tsx'), 'RepositoryRoute'),
  }),
  createRoute({
    getParentRoute: () => releaseTwoRoute,
    path: '/explore',
    component: lazyRouteComponent(() => import('#features/explore/ExplorePage.tsx'), 'ExplorePage'),
  }),
];

// spec 2.2: both behind their flag.
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
      () => import('#features/vulnerabilities/VulnerabilitiesPage.tsx'),
      'VulnerabilitiesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => vulnerabilitiesRoute,
    path: '/vulnerabilities/exceptions',
    component: lazyRouteComponent(
      () => import('#features/vulnerabilities/triage/ExceptionsPage.tsx'),
      'ExceptionsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => vulnerabilitiesRoute,
    path: '/vulnerabilities/$findingId',
    component: lazyRouteComponent(
      () => import('#features/vulnerabilities/detail/VulnerabilityPage.tsx'),
      'VulnerabilityPage',
    ),
  }),
];

const settingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/organization',
  component: lazyRouteComponent(() => import('#features/organizations/OrganizationLayout.tsx'), 'OrganizationLayout'),
});

const accessKeysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  id: 'access-keys-flag',
  component: () => <BehindFlag flag="vulnerabilities" />,
});

// spec 2.2: settings is the default section.
const settingsRoutes = [
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
    component: lazyRouteComponent(() => import('#features/organizations/SettingsPage.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/repositories',
    component: lazyRouteComponent(
      () => import('#features/repositories/OrganizationRepositoriesPage.tsx'),
      'OrganizationRepositoriesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/members',
    component: lazyRouteComponent(() => import('#features/members/MembersPage.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('#features/outgoing-webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  }),
  accessKeysRoute.addChildren([
    createRoute({
      getParentRoute: () => accessKeysRoute,
      path: '/access-keys',
      component: lazyRouteComponent(() => import('#features/access-keys/AccessKeysPage.tsx'), 'AccessKeysPage'),
    }),
  ]),
];

const integrationsPage = lazyRouteComponent(
  () => import('#features/integrations/IntegrationsPage.tsx'),
  'IntegrationsPage',
);

// spec 2.7: a category of its own, with the flag only.
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
    path: '/integrations/security-scanners/checkmarx',
    component: lazyRouteComponent(() => import('#features/integrations/ScannerPage.tsx'), 'ScannerPage'),
  }),
];

const integrationsRoutes = [
  createRoute({ getParentRoute: () => organizationRoute, path: '/integrations', component: integrationsPage }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/integrations/$category',
    beforeLoad: ({ params }) => {
      if (!integrationCategories.some((category) => category === params.category)) throw notFound();
    },
    component: integrationsPage,
    notFoundComponent: NotFoundNotice,
  }),
  scannersRoute.addChildren(scannersRoutes),
];

// spec 2.2: the settings are behind their flag, and so is what they are about.
const notificationsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  id: 'notifications',
  component: () => <BehindFlag flag="notificationSystem" />,
});

const notificationsRoutes = [
  createRoute({
    getParentRoute: () => notificationsRoute,
    path: '/notifications',
    component: lazyRouteComponent(() => import('#features/notifications/InboxPage.tsx'), 'InboxPage'),
  }),
  createRoute({
    getParentRoute: () => notificationsRoute,
    path: '/notification/settings',
    component: lazyRouteComponent(() => import('#features/notifications/SettingsPage.tsx'), 'NotificationSettingsPage'),
  }),
];

const organizationRoutes = [
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/',
    loader: askAheadForHome,
    component: lazyRouteComponent(() => import('#features/home/HomePage.tsx'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/tools',
    component: lazyRouteComponent(() => import('#features/tools/ToolsPage.tsx'), 'ToolsPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/tools/$toolId',
    component: lazyRouteComponent(() => import('#features/tools/ToolPage.tsx'), 'ToolPage'),
  }),
  releaseTwoRoute.addChildren(releaseTwoRoutes),
  vulnerabilitiesRoute.addChildren(vulnerabilitiesRoutes),
  notificationsRoute.addChildren(notificationsRoutes),
  settingsRoute.addChildren(settingsRoutes),
  ...integrationsRoutes,
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/organization/webhooks/$webhookId',
    component: lazyRouteComponent(() => import('#features/outgoing-webhooks/WebhookPage.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/audit',
    component: lazyRouteComponent(() => import('#features/audit/AuditPage.tsx'), 'AuditPage'),
  }),
];

// Last: whatever else has a page goes there. A login has one segment of its letters; all else is no page at all.
const profileRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/$handle',
  beforeLoad: ({ params }) => {
    if (!isHandle(params.handle)) throw notFound();
  },
  component: lazyRouteComponent(() => import('#features/profile/ProfilePage.tsx'), 'ProfilePage'),
});

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'account',
  loader: begin,
  component: AccountFrame,
});

const accountRoutes = [
  createRoute({
    getParentRoute: () => accountRoute,
    path: '/account',
    component: lazyRouteComponent(() => import('#features/account/AccountPage.tsx'), 'AccountPage'),
  }),
];

const focusRoutes = [
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
    component: lazyRouteComponent(() => import('#features/onboarding/SetupPage.tsx'), 'SetupPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/authorize/$scheme',
    beforeLoad: ({ params: { scheme } }) => {
      if (scheme !== 'browser' && !authorizeRules().schemes.includes(scheme)) throw notFound();
    },
    component: lazyRouteComponent(() => import('./AuthorizeRoute.tsx'), 'AuthorizeRoute'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/link',
    component: lazyRouteComponent(() => import('#features/session/LinkPage.tsx'), 'LinkPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/_/integrations/gitlab',
    component: lazyRouteComponent(() => import('./HostCallbackRoutes.tsx'), 'GitlabCallbackRoute'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/_/integrations/bitbucket',
    component: lazyRouteComponent(() => import('./HostCallbackRoutes.tsx'), 'BitbucketCallbackRoute'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/_/integrations/github',
    component: lazyRouteComponent(() => import('#features/onboarding/GithubCallbackPage.tsx'), 'GithubCallbackPage'),
  }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/organizations',
    component: lazyRouteComponent(() => import('#features/organizations/OrganizationsPage.tsx'), 'OrganizationsPage'),
  }),
];

const routeTree = rootRoute.addChildren([
  ...sessionRoutes,
  signedInRoute.addChildren([
    ...focusRoutes,
    accountRoute.addChildren(accountRoutes),
    organizationRoute.addChildren([...organizationRoutes, profileRoute]),
  ]),
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
