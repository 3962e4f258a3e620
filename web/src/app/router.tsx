import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from '#lib/search-params.ts';
import { PageFailure } from './PageFailure.tsx';
import { portalRoutes } from './routes/auditor-portal.ts';
import { evidenceRoutes } from './routes/evidence.ts';
import { integrationsRoutes } from './routes/integrations.tsx';
import { organizationRoutes, profileRoute } from './routes/organization.tsx';
import { organizationRoute, rootRoute, signedInRoute } from './routes/parents.tsx';
import { accountRoute, accountRoutes, focusRoutes } from './routes/person.ts';
import { sessionRoutes } from './routes/session.ts';
import { settingsRoutes } from './routes/settings.tsx';

const routeTree = rootRoute.addChildren([
  ...sessionRoutes,
  ...portalRoutes,
  signedInRoute.addChildren([
    ...focusRoutes,
    accountRoute.addChildren(accountRoutes),
    organizationRoute.addChildren([
      ...organizationRoutes,
      ...settingsRoutes,
      ...integrationsRoutes,
      ...evidenceRoutes,
      profileRoute,
    ]),
  ]),
]);

/** The router of the application. `history` is that of the browser unless a test provides another. */
export const createAppRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    ...(history && { history }),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultErrorComponent: PageFailure,
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
