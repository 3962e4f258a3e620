import { createRootRoute, createRouter, Outlet } from '@tanstack/react-router';
import { NotFoundPage } from './NotFoundPage.tsx';
import { RouterLinks } from './RouterLinks.tsx';

const legal = { terms: '/terms', privacy: '/privacy', contact: '/contact' };

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: () => <NotFoundPage legal={legal} />,
});

export const router = createRouter({ routeTree: rootRoute, defaultPreload: 'intent', scrollRestoration: true });

function Root() {
  return (
    <RouterLinks>
      <Outlet />
    </RouterLinks>
  );
}
