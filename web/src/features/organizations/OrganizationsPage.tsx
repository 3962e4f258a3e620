import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { account, organizations } from '#lib/account.ts';
import { useSession } from '#lib/session.ts';
import { signIn } from '#lib/sign-in.ts';
import { legal } from '#lib/site.ts';
import { Banner } from '#ui/Banner.tsx';
import { Focus } from '#ui/Focus.tsx';
import { Invitations, Joined, Ways, Welcome } from './Cards.tsx';
import { CreateOrganization } from './CreateOrganization.tsx';

/** spec 2.8: one's organizations; clicking another one signs in for it. */
export function OrganizationsPage() {
  const session = useSession();
  const { data: all = [] } = useQuery(organizations());
  const email = useQuery(account()).data?.email;
  const [failed, setFailed] = useState(false);
  const joined = all.filter(({ invitation }) => invitation === null);
  const invitations = all.filter(({ invitation }) => invitation !== null);
  return (
    <Focus legal={legal}>
      <Welcome title="Organizations">
        Signed in as <b>{email}</b>.
      </Welcome>
      {failed && <Banner tone="error">The sign-in page did not answer. Try again in a moment.</Banner>}
      {joined.length > 0 && (
        <Joined
          organizations={joined}
          activeId={session?.organization}
          onChoose={(organization) => void signIn({ organization, path: '/' }).catch(() => setFailed(true))}
        />
      )}
      {invitations.length > 0 && <Invitations invitations={invitations} />}
      <Ways>
        <CreateOrganization />
      </Ways>
    </Focus>
  );
}
