import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useSession } from '#lib/session.ts';
import { legal } from '#lib/site.ts';
import { Focus } from '#ui/Focus.tsx';

const ShellFrame = lazy(async () => ({ default: (await import('./ShellFrame.tsx')).ShellFrame }));

/** Around what belongs to the person: the shell of the organization they are in, or none while they are in none. */
export function AccountFrame() {
  const active = useSession()?.organization;
  return (
    <Suspense>
      {active === undefined ? (
        <Focus legal={legal}>
          <Outlet />
        </Focus>
      ) : (
        <ShellFrame active={active} />
      )}
    </Suspense>
  );
}
