import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { account } from '#lib/account.ts';
import { accountSettingsPath, profilePath } from '#lib/profile.ts';
import { legal } from '#lib/site.ts';
import { takePath, toSitePath } from '#lib/site-path.ts';
import { stored } from '#lib/storage.ts';
import { Focus } from '#ui/Focus.tsx';
import { Link } from '#ui/Link.tsx';
import { Notice } from '#ui/Notice.tsx';
import { toast } from '#ui/toast.ts';

/** spec 2.1: where connecting a login ends. Goes on to where it was started, or says why it failed. */
export function LinkPage() {
  const router = useRouter();
  const { error, merged, path } = useSearch({ strict: false });
  // Once: reading a stored path uses it up.
  const [given] = useState(() => givenPath(path));
  const profile = useProfile(given === undefined);
  const onward = given ?? profile;
  useEffect(() => {
    if (error !== undefined || onward === undefined) return;
    toast.success(merged === undefined ? 'The login is connected.' : 'The two accounts are one now.');
    void router.navigate({ href: onward, replace: true });
  }, [error, merged, onward, router]);
  if (error === undefined) return <Focus legal={legal}>{null}</Focus>;
  return (
    <Focus legal={legal}>
      <Notice
        title={error === 'cancelled' ? 'Nothing was linked' : 'Failed to link identities'}
        actions={
          <Button component={Link} href={onward ?? '/'}>
            Go back
          </Button>
        }
      >
        {reasons[error] ?? 'Something went wrong on the way. Nothing was changed; start again.'}
      </Notice>
    </Focus>
  );
}

const reasons: Record<string, string | undefined> = {
  cancelled: 'You cancelled it, so everything stays as it was.',
  refused: 'The other service did not confirm who you are, or you signed in there too long ago. Try again.',
  unreachable: 'The other service did not answer as expected. Try again in a moment.',
  expired: 'This took too long, or the link was used already. Start again.',
  'other-account':
    'This browser is signed in to another account than the one that wanted to link. Sign in to that one and start again.',
  taken: 'At the same moment that login was connected to another account. Start again to link the two.',
};

/** spec 2.1: the stored return URL, the setup where it had begun; undefined where there is neither. */
function givenPath(path: string | undefined): string | undefined {
  const returnUrl = takePath('returnUrl');
  return toSitePath(path) ?? returnUrl ?? (stored('onboardingStarted') === undefined ? undefined : '/onboarding');
}

/** Else the profile, which is named after a login at a code host; whoever has none finds theirs in the settings. */
function useProfile(wanted: boolean): string | undefined {
  const { data, isError } = useQuery({ ...account(), enabled: wanted, meta: { quiet: true } });
  if (isError) return accountSettingsPath;
  const login = data?.traits.github?.login;
  return data && (login === undefined ? accountSettingsPath : profilePath(login));
}
