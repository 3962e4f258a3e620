import { Button } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type SignIn, signIn } from '#lib/sign-in.ts';
import { legal } from '#lib/site.ts';
import { toSitePath } from '#lib/site-path.ts';
import { Focus } from '#ui/Focus.tsx';
import { Notice } from '#ui/Notice.tsx';

/** spec 2.1: passes `invitation`, `organization`, `connection`, `redirect` and `path` to the provider. */
export function LoginPage() {
  const { invitation, organization, connection, redirect, path } = useSearch({ strict: false });
  return <Leaving options={{ invitation, organization, connection, path: toSitePath(path) ?? toSitePath(redirect) }} />;
}

export function SignupPage() {
  const { path } = useSearch({ strict: false });
  return <Leaving options={{ screenHint: 'signup', path: toSitePath(path) }} />;
}

/** The link of an invitation email. The route requires both parameters. */
export function InvitationPage() {
  const { invitation, organization } = useSearch({ strict: false });
  return <Leaving options={{ invitation, organization, screenHint: 'login', scope: invitationScope }} />;
}

// spec 2.1
const invitationScope = 'openid profile email read:current_user';

function Leaving({ options }: { options: SignIn }) {
  const [failed, setFailed] = useState(false);
  const startSignIn = () => {
    setFailed(false);
    signIn(options).catch(() => setFailed(true));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: redirects once, with the initial parameters
  useEffect(startSignIn, []);
  if (!failed) return <Focus legal={legal}>{null}</Focus>;
  return (
    <Focus legal={legal}>
      <Notice title="Sign-in page not available" actions={<Button onClick={startSignIn}>Try again</Button>}>
        The sign-in page did not answer. Check your connection, then try again.
      </Notice>
    </Focus>
  );
}
