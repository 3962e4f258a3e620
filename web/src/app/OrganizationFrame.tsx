import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue } from 'react';
import { organizations } from '#lib/account.ts';
import { useSession } from '#lib/session.ts';
import { ShellFrame } from './shell-frame.ts';

const ChooserPage = lazy(async () => ({
  default: (await import('#domains/organization/organizations/ChooserPage.tsx')).ChooserPage,
}));

const ShutOutPage = lazy(async () => ({
  default: (await import('#domains/organization/organizations/ShutOutPage.tsx')).AccessRevokedPage,
}));

/**
 * All pages of an organization, in the shell; without an organization in the token, the organization chooser. A token
 * outlives a membership by minutes, so former members see a notice.
 */
export function OrganizationFrame() {
  const active = useSession()?.organization;
  const { data: all } = useQuery({ ...organizations(), enabled: active !== undefined });
  const isShutOut = all !== undefined && !all.some(({ id, invitation }) => id === active && invitation === null);
  // Rendered as a transition in slices, while the skeleton of index.html is visible.
  const isDue = useDeferredValue(true, false);
  if (!isDue) return null;
  return (
    <Suspense>
      {active === undefined ? <ChooserPage /> : isShutOut ? <ShutOutPage /> : <ShellFrame active={active} />}
    </Suspense>
  );
}
