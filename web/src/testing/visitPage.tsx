import { MantineProvider } from '@mantine/core';
import { grants, type RoleId, roleNames } from '@sightline/contract/core/permissions.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  type AnyRouter,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, configure, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach } from 'vitest';
import { createQueryClient } from '#app/query-client.ts';
import { RouterLinks } from '#app/RouterLinks.tsx';
import { createAppRouter } from '#app/router.tsx';
import { StepUpHost } from '#app/StepUpHost.tsx';
import { theme } from '#app/theme.ts';
import { parseSearch, type Search, stringifySearch } from '#lib/search-params.ts';
import { clearSession } from '#lib/session.ts';

// A busy machine renders late, which is not a failure.
configure({ asyncUtilTimeout: 10_000 });

// happy-dom lacks it, and auto-growing text fields listen to it.
if (!('fonts' in document)) Object.defineProperty(document, 'fonts', { value: new EventTarget() });

afterEach(() => {
  cleanup();
  // Stops queries of the ended session.
  clearSession();
});

/** Signs in with a role in an organization, or without one, in the browser only. */
export function signIn(role?: RoleId): void {
  const claims = {
    sub: 'account',
    email: 'ada@acme.example',
    exp: 4_102_444_800,
    ...(role && {
      orgID: 'organization',
      authorization: { roles: [roleNames[role]], permissions: Object.keys(grants[role]) },
    }),
  };
  localStorage.setItem('accessToken', `e30.${btoa(JSON.stringify(claims))}.signature`);
}

/** Opens a page at a URL under its route's path; all other URLs are empty pages. */
export function visitPage(path: string, Page: () => ReactNode, address: string) {
  const root = createRootRoute({
    validateSearch: (search: Search) => search,
    component: () => (
      <RouterLinks>
        <Outlet />
        <StepUpHost />
      </RouterLinks>
    ),
    notFoundComponent: () => null,
  });
  const route = createRoute({ getParentRoute: () => root, path, component: Page });
  const history = createMemoryHistory({ initialEntries: [address] });
  return open(createRouter({ routeTree: root.addChildren([route]), history, parseSearch, stringifySearch }));
}

/** Opens a URL in the application's own route tree, with its guards and redirects. */
export function visitApp(address: string) {
  return open(createAppRouter(createMemoryHistory({ initialEntries: [address] })));
}

function open(router: AnyRouter) {
  const queryClient = createQueryClient();
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return {
    queryClient,
    address: () => router.state.location.href,
    search: () => parseSearch(router.state.location.searchStr),
  };
}
