import { createRootRoute, createRouter, Outlet, useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { LinkProvider } from '#ui/Link.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';

const legal = { terms: '/terms', privacy: '/privacy', contact: '/contact' };

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: () => <NotFoundPage legal={legal} />,
});

export const router = createRouter({ routeTree: rootRoute, defaultPreload: 'intent', scrollRestoration: true });

function Root() {
  const { history, preloadRoute } = useRouter();
  const actions = useMemo(
    () => ({
      navigate: (href: string) => history.push(href),
      preload: (href: string) => void preloadRoute({ to: href }),
    }),
    [history, preloadRoute],
  );
  return (
    <LinkProvider actions={actions}>
      <Outlet />
    </LinkProvider>
  );
}
