import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { LinkProvider } from '#ui/Link.tsx';

/** Makes each `Link` below navigate with the router, since `ui` does not depend on a router. */
export function RouterLinks({ children }: { children: ReactNode }) {
  const router = useRouter();
  const actions = useMemo(
    () => ({
      navigate: (href: string) => router.history.push(href),
      preload: (href: string) => {
        const { pathname, search } = new URL(href, window.location.origin);
        // A page that cannot be preloaded shows its error when opened.
        router.preloadRoute({ to: pathname, search: router.options.parseSearch?.(search) }).catch(() => undefined);
      },
    }),
    [router],
  );
  return <LinkProvider actions={actions}>{children}</LinkProvider>;
}
