import type { Organization } from '@sightline/contract/organization/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { account, organizations } from '#lib/account.ts';
import { signIn } from '#lib/sign-in.ts';
import { legal } from '#lib/site.ts';
import { Banner } from '#ui/Banner.tsx';
import { Focus } from '#ui/Focus.tsx';
import { CardFooter, OrganizationList, WelcomeHeading } from './Cards.tsx';
import { CreateOrganizationButton, useMayCreate } from './CreateOrganizationButton.tsx';
import { Invitations } from './Invitations.tsx';

/** spec 2.3: shown to users who are signed in without an organization. */
export function ChooserPage() {
  const router = useRouter();
  const path = useLocation({ select: ({ href }) => href });
  const { data: all } = useQuery(organizations());
  const mayCreate = useMayCreate();
  const [failed, setFailed] = useState(false);
  const enter = (organization: string) => signIn({ organization, path }).catch(() => setFailed(true));
  const next = all && nextStepOf(all, mayCreate);
  const only = next?.kind === 'enter' ? next.id : undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: signs in once to the only organization
  useEffect(() => {
    if (only !== undefined) void enter(only);
  }, [only]);
  useEffect(() => {
    if (next?.kind === 'onboarding') void router.navigate({ href: '/onboarding', replace: true });
  }, [next?.kind, router]);

  return (
    <Focus legal={legal}>
      {failed && <Banner tone="error">The sign-in page did not answer. Try again in a moment.</Banner>}
      {next?.kind === 'choose' && <Choice {...next} onChoose={(id) => void enter(id)} />}
    </Focus>
  );
}

type Next =
  | { kind: 'enter'; id: string }
  | { kind: 'onboarding' }
  | { kind: 'choose'; joined: Organization[]; invitations: Organization[] };

/**
 * Enters a single organization. Without organizations, leads to onboarding if creation is permitted and no invitation
 * is pending, so that the user does not miss an invitation. Undefined while loading.
 */
export function nextStepOf(all: readonly Organization[], mayCreate: boolean | undefined): Next | undefined {
  const joined = all.filter(({ invitation }) => invitation === null);
  const invitations = all.filter(({ invitation }) => invitation !== null);
  const [first, ...others] = joined;
  if (first && first.movedTo === null && others.length === 0) return { kind: 'enter', id: first.id };
  if (joined.length > 0 || invitations.length > 0) return { kind: 'choose', joined, invitations };
  if (mayCreate === undefined) return undefined;
  return mayCreate ? { kind: 'onboarding' } : { kind: 'choose', joined, invitations };
}

interface ChoiceProps {
  joined: readonly Organization[];
  invitations: readonly Organization[];
  onChoose: (id: string) => void;
}

function Choice({ joined, invitations, onChoose }: ChoiceProps) {
  const email = useQuery(account()).data?.email;
  return (
    <>
      <WelcomeHeading title="Welcome">
        {joined.length > 0 ? (
          <>
            Signed in as <b>{email}</b>. Choose where to go.
          </>
        ) : (
          'You are not a member of any organization yet. Please wait for an invitation, or contact support.'
        )}
      </WelcomeHeading>
      {joined.length > 0 && <OrganizationList organizations={joined} activeId={undefined} onChoose={onChoose} />}
      <Invitations invitations={invitations} />
      <CardFooter>
        <CreateOrganizationButton />
      </CardFooter>
    </>
  );
}
