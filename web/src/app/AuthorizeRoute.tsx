import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { AuthorizePage } from '#domains/identity/extensions/AuthorizePage.tsx';
import { organizations } from '#lib/account.ts';
import { useSession } from '#lib/session.ts';

const ChooserPage = lazy(async () => ({
  default: (await import('#domains/organization/organizations/ChooserPage.tsx')).ChooserPage,
}));
const ShutOutPage = lazy(async () => ({
  default: (await import('#domains/organization/organizations/ShutOutPage.tsx')).AccessRevokedPage,
}));

/** Spec 2.1: an extension signs in to an organization, so one is selected first. */
export function AuthorizeRoute() {
  const active = useSession()?.organization;
  const { data: all, error, refetch } = useQuery({ ...organizations(), meta: { quiet: true } });
  if (active === undefined) {
    return (
      <Suspense>
        <ChooserPage />
      </Suspense>
    );
  }
  const organization = all?.find(({ id, invitation }) => id === active && invitation === null);
  if (all !== undefined && organization === undefined) {
    return (
      <Suspense>
        <ShutOutPage />
      </Suspense>
    );
  }
  return <AuthorizePage organization={organization} error={error ?? undefined} onRetry={() => void refetch()} />;
}
