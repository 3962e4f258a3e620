import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { LinkProvider } from '#ui/Link.tsx';

/** Makes every `Link` below a move of the router's: `ui` draws links without knowing which router there is. */
export function RouterLinks({ children }: { children: ReactNode }) {
  const router = useRouter();
  const actions = useMemo(
    () => ({
      navigate: (href: string) => router.history.push(href),
      preload: (href: string) => {
        const { pathname, search } = new URL(href, window.location.origin);
        // A page that cannot be fetched ahead says so when it is opened.
        router.preloadRoute({ to: pathname, search: router.options.parseSearch?.(search) }).catch(() => undefined);
      },
    }),
    [router],
  );
  return <LinkProvider actions={actions}>{children}</LinkProvider>;
}
