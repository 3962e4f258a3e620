import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue } from 'react';
import { organizations } from '#lib/account.ts';
import { useSession } from '#lib/session.ts';
import { ShellFrame } from './shell-frame.ts';

const ChooserPage = lazy(async () => ({
  default: (await import('#domains/organization/organizations/ChooserPage.tsx')).ChooserPage,
}));

const ShutOutPage = lazy(async () => ({
  default: (await import('#domains/organization/organizations/ShutOutPage.tsx')).ShutOutPage,
}));

/**
 * Every page of an organization, in the shell; without an organization in the token, the way to choose one. A token
 * outlives a membership by minutes: whoever is no member any more is told so.
 */
export function OrganizationFrame() {
  const active = useSession()?.organization;
  const { data: all } = useQuery({ ...organizations(), enabled: active !== undefined });
  const isShutOut = all !== undefined && !all.some(({ id, invitation }) => id === active && invitation === null);
  // Drawn as a transition, in slices, while the bones of index.html stay.
  const isDue = useDeferredValue(true, false);
  if (!isDue) return null;
  return (
    <Suspense>
      {active === undefined ? <ChooserPage /> : isShutOut ? <ShutOutPage /> : <ShellFrame active={active} />}
    </Suspense>
  );
}
