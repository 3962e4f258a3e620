import { lazy, Suspense } from 'react';
import { useSession } from '#lib/session.ts';

const ShellFrame = lazy(async () => ({ default: (await import('./ShellFrame.tsx')).ShellFrame }));
const ChooserPage = lazy(async () => ({
  default: (await import('#features/organizations/ChooserPage.tsx')).ChooserPage,
}));

/** Every page of an organization, in the shell; without an organization in the token, the way to choose one. */
export function OrganizationFrame() {
  const active = useSession()?.organization;
  return <Suspense>{active === undefined ? <ChooserPage /> : <ShellFrame active={active} />}</Suspense>;
}
