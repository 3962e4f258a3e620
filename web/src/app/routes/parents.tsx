import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { waitForFlags } from '#lib/flags.ts';
import type { Search } from '#lib/search-params.ts';
import { stringifySearch } from '#lib/search-params.ts';
import { currentSession } from '#lib/session.ts';
import { legal } from '#lib/site.ts';
import { storePath } from '#lib/site-path.ts';
import { ErrorHost } from '../ErrorHost.tsx';
import { NotFoundPage } from '../NotFoundPage.tsx';
import { OrganizationFrame } from '../OrganizationFrame.tsx';
import { prefetchShell } from '../prefetch.ts';
import { RouterLinks } from '../RouterLinks.tsx';
import { StepUpHost } from '../StepUpHost.tsx';
import { ShellFrame } from '../shell-frame.ts';

export const rootRoute = createRootRoute({
  // Strings as in the URL; a page parses its own with `useUrlQuery`.
  validateSearch: (search: Search) => search,
  component: () => (
    <RouterLinks>
      <Outlet />
      <ErrorHost />
      <StepUpHost />
    </RouterLinks>
  ),
  notFoundComponent: () => <NotFoundPage legal={legal} />,
});

// Waits for the shell module only, which renders while responses are pending.
export const preloadShell = () => {
  prefetchShell();
  void waitForFlags();
  return currentSession()?.organization === undefined ? undefined : ShellFrame.preload?.();
};

/** All pages that require a signed-in user. */
export const signedInRoute = createRoute({
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
    // Spec 4: an organization in the URL other than that of the token requires a sign-in for it.
    if (organization !== session.organization) {
      throw redirect({ to: '/login', search: { organization, path }, replace: true });
    }
    throw redirect({ href: path, replace: true });
  },
});

export const organizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'organization',
  loader: preloadShell,
  component: OrganizationFrame,
});
