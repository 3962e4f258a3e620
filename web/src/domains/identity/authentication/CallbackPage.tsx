import { Button } from '@mantine/core';
import { registerAccount } from '@sightline/contract/identity/accounts.ts';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { account, organizations } from '#lib/account.ts';
import { call } from '#lib/api.ts';
import { finishSignIn, mayRetrySignIn, resetSignInAttempts, signInDestination } from '#lib/sign-in.ts';
import { legal } from '#lib/site.ts';
import { toSitePath } from '#lib/site-path.ts';
import { Focus } from '#ui/Focus.tsx';
import { Link } from '#ui/Link.tsx';
import { Notice } from '#ui/Notice.tsx';

/** spec 2.1: finishes the sign-in, registers the account, loads its organizations and redirects. */
export function CallbackPage() {
  const router = useRouter();
  const queryClient = useQueryClient();
  const { path, organization } = useSearch({ strict: false });
  // A query, because the provider's response can be used only once, however often the page is rendered.
  const { data: answer, error } = useQuery({
    queryKey: ['sign-in', window.location.search],
    queryFn: () => finish(queryClient, window.location.href, { path, organization }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: { quiet: true },
  });

  useEffect(() => {
    if (answer?.kind === 'signed-in') void router.navigate({ href: answer.href, replace: true });
  }, [answer, router]);

  useEffect(() => {
    if (!error) return;
    // Only the message: other fields of the library's error can contain the code.
    console.error('Signing in failed:', error.message);
    if (mayRetrySignIn()) void router.navigate({ to: '/login', replace: true });
  }, [error, router]);

  if (answer?.kind === 'denied') return <Denied reason={answer.reason} />;
  if (error && !mayRetrySignIn()) return <Failed />;
  return <Focus legal={legal}>{null}</Focus>;
}

type SignInResult = { kind: 'signed-in'; href: string } | { kind: 'denied'; reason: string };

async function finish(
  queryClient: QueryClient,
  url: string,
  { path, organization }: { path?: string | undefined; organization?: string | undefined },
): Promise<SignInResult> {
  const answer = await finishSignIn(url);
  if (answer.kind === 'denied') return answer;
  queryClient.setQueryData(account().queryKey, await call(registerAccount, { body: {} }));
  await queryClient.ensureQueryData(organizations());
  resetSignInAttempts();
  return {
    kind: 'signed-in',
    href: withOrganization(signInDestination(answer.path ?? toSitePath(path)), organization),
  };
}

// If the address names another organization, the router signs in to it.
const withOrganization = (path: string, organization: string | undefined) =>
  organization === undefined
    ? path
    : `${path}${path.includes('?') ? '&' : '?'}organization=${encodeURIComponent(organization)}`;

const Denied = ({ reason }: { reason: string }) => (
  <Focus legal={legal}>
    <Notice
      title="You cannot sign in here"
      actions={
        <>
          <Button component={Link} href="/login" onClick={resetSignInAttempts}>
            Choose another organization
          </Button>
          <Button variant="default" component={Link} href="/logout">
            Use another account
          </Button>
        </>
      }
    >
      {reason.includes('member')
        ? 'Your account is not a member of this organization. If you were invited, open the link in the invitation email, or ask an Account Owner for an invitation.'
        : 'Your account is not allowed to sign in. Ask an Account Owner of your organization.'}
    </Notice>
  </Focus>
);

const Failed = () => (
  <Focus legal={legal}>
    <Notice
      title="Sign-in failed"
      actions={
        <Button component={Link} href="/login" onClick={resetSignInAttempts}>
          Try again
        </Button>
      }
    >
      Several attempts failed. Check the clock of this computer and that the browser accepts cookies from this site,
      then try again.
    </Notice>
  </Focus>
);
