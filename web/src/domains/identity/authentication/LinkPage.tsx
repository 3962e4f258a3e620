import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { account } from '#lib/account.ts';
import { accountSettingsPath, profilePath } from '#lib/profile.ts';
import { legal } from '#lib/site.ts';
import { consumePath, toSitePath } from '#lib/site-path.ts';
import { getStored } from '#lib/storage.ts';
import { Focus } from '#ui/Focus.tsx';
import { Link } from '#ui/Link.tsx';
import { Notice } from '#ui/Notice.tsx';
import { toast } from '#ui/toast.ts';

/** spec 2.1: the callback after linking a login. Redirects to the start, or shows the error. */
export function LinkPage() {
  const router = useRouter();
  const { error, merged, path } = useSearch({ strict: false });
  // Once, because reading a stored path removes it.
  const [given] = useState(() => givenPath(path));
  const profile = useProfile(given === undefined);
  const onward = given ?? profile;
  useEffect(() => {
    if (error !== undefined || onward === undefined) return;
    toast.success(merged === undefined ? 'The login is connected.' : 'The accounts are linked.');
    void router.navigate({ href: onward, replace: true });
  }, [error, merged, onward, router]);
  if (error === undefined) return <Focus legal={legal}>{null}</Focus>;
  return (
    <Focus legal={legal}>
      <Notice
        title={error === 'cancelled' ? 'Accounts not linked' : 'Failed to link identities'}
        actions={
          <Button component={Link} href={onward ?? '/'}>
            Go back
          </Button>
        }
      >
        {reasons[error] ?? 'An error occurred. Nothing was changed. Start again.'}
      </Notice>
    </Focus>
  );
}

const reasons: Record<string, string | undefined> = {
  cancelled: 'You canceled the process. Nothing was changed.',
  refused: 'The other service did not confirm your identity, or your sign-in there is too old. Try again.',
  unreachable: 'The other service returned an unexpected response. Try again in a moment.',
  expired: 'The process expired or the link was already used. Start again.',
  'other-account':
    'This browser is signed in to a different account than the one that started the process. Sign in to that account and start again.',
  taken: 'The login was connected to another account in the meantime. Start again to link both accounts.',
};

/** spec 2.1: the stored return URL, or the setup if it was started; otherwise undefined. */
function givenPath(path: string | undefined): string | undefined {
  const returnUrl = consumePath('returnUrl');
  return toSitePath(path) ?? returnUrl ?? (getStored('onboardingStarted') === undefined ? undefined : '/onboarding');
}

/** Otherwise the profile, named after a login at a code host; without a login, the settings. */
function useProfile(isEnabled: boolean): string | undefined {
  const { data, isError } = useQuery({ ...account(), enabled: isEnabled, meta: { quiet: true } });
  if (isError) return accountSettingsPath;
  const login = data?.traits.github?.login;
  return data && (login === undefined ? accountSettingsPath : profilePath(login));
}
