import type { Organization } from '@sightline/contract/organization/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { account, organizations } from '#lib/account.ts';
import { accountSettingsPath } from '#lib/profile.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { useSession } from '#lib/session.ts';
import { signIn } from '#lib/sign-in.ts';
import { legal } from '#lib/site.ts';
import { Banner } from '#ui/Banner.tsx';
import { Focus } from '#ui/Focus.tsx';
import { Link, useNavigate } from '#ui/Link.tsx';
import s from './Cards.module.css';
import { CardFooter, OrganizationList, WelcomeHeading } from './Cards.tsx';
import { CreateOrganizationButton } from './CreateOrganizationButton.tsx';
import { errorCauseOf } from './errorCause.ts';
import { Invitations } from './Invitations.tsx';
import { LeaveDialog } from './LeaveDialog.tsx';
import { OrganizationMenu } from './OrganizationMenu.tsx';

const settings = '/organization/settings';

/** spec 2.8: lists the user's organizations. Selecting another one signs in to it. */
export function OrganizationsPage() {
  const active = useSession()?.organization;
  const { data: all = [] } = useQuery(organizations());
  const email = useQuery(account()).data?.email;
  const navigate = useNavigate();
  const { routesByPath } = useRouter();
  const [signInFailed, setSignInFailed] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [leaving, setLeaving] = useState<Organization>();
  const [asking, setAsking] = useState(false);
  const joined = all.filter(({ invitation }) => invitation === null);
  const invitations = all.filter(({ invitation }) => invitation !== null);
  const enter = (organization: string, path: string) =>
    void signIn({ organization, path }).catch(() => setSignInFailed(true));
  return (
    <Focus legal={legal}>
      <WelcomeHeading title="Organizations">
        Signed in as <b>{email}</b>.
      </WelcomeHeading>
      {signInFailed && <Banner tone="error">The sign-in page did not answer. Try again in a moment.</Banner>}
      {failure !== undefined && (
        <Banner tone="error" details={errorCauseOf(failure)} onClose={() => setFailure(undefined)}>
          {capitalised(errorMessageOf(failure, 'The organization could not be left.'))}
        </Banner>
      )}
      {joined.length > 0 && (
        <OrganizationList
          organizations={joined}
          activeId={active}
          onChoose={(organization) => enter(organization, '/')}
          menu={(organization) => (
            <OrganizationMenu
              organization={organization}
              onSettings={() => (organization.id === active ? navigate(settings) : enter(organization.id, settings))}
              onLeave={() => {
                setFailure(undefined);
                setLeaving(organization);
                setAsking(true);
              }}
            />
          )}
        />
      )}
      {invitations.length > 0 && <Invitations invitations={invitations} />}
      <CardFooter>
        <CreateOrganizationButton />
      </CardFooter>
      {accountSettingsPath in routesByPath && (
        <p className={s.other}>
          Invited at another address, or using another sign-in method?{' '}
          <Link className="link" href={accountSettingsPath}>
            Connect it in Account Settings
          </Link>
        </p>
      )}
      {leaving && (
        <LeaveDialog organization={leaving} opened={asking} onClose={() => setAsking(false)} onFailure={setFailure} />
      )}
    </Focus>
  );
}

// spec 8
const capitalised = (message: string) => message.charAt(0).toUpperCase() + message.slice(1);
