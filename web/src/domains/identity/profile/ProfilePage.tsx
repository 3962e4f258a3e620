import { Button } from '@mantine/core';
import type { Account } from '@sightline/contract/identity/accounts.ts';
import { findHandle } from '@sightline/contract/organization/members.ts';
import { IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Navigate, notFound, useParams } from '@tanstack/react-router';
import { account } from '#lib/account.ts';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { useFlag } from '#lib/flags.ts';
import { accountSettingsPath, loginOfHandle } from '#lib/profile.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { Link } from '#ui/Link.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Face } from '#ui/Person.tsx';
import { OwnEvents } from './OwnEvents.tsx';
import s from './Profile.module.css';
import { ProfileConnections } from './ProfileConnections.tsx';
import { ProfileDescription } from './ProfileDescription.tsx';

/**
 * The profile of the current user, addressed by their login at the code host. The login of another user redirects to
 * Home (spec 2.2). An unknown login is an unknown path.
 */
export function ProfilePage() {
  const { handle = '' }: { handle?: string } = useParams({ strict: false });
  const me = useQuery(account()).data;
  if (!me) return <Loading />;
  const login = me.traits.github?.login;
  if (login?.toLowerCase() === loginOfHandle(handle).toLowerCase()) return <Profile me={me} login={login} />;
  return <OtherHandle handle={loginOfHandle(handle)} />;
}

function OtherHandle({ handle }: { handle: string }) {
  const seen = useQuery({ ...endpointQuery(findHandle, { params: { handle } }), meta: { quiet: true } });
  if (seen.isPending) return <Loading />;
  if (seen.error?.status === 404) throw notFound();
  return <Navigate to="/" replace />;
}

function Profile({ me, login }: { me: Account; login: string }) {
  const session = useSession();
  const readsEvents = useFlag('release2') && hasPermission(session, 'read:events');
  return (
    <>
      <PageHeader
        title={me.name}
        help={{ href: docsHref('privacy', 'visibility'), about: 'profile visibility' }}
        before={<Face name={me.name} id={session?.accountId} picture={me.picture ?? undefined} size={32} />}
        note={`@${login}`}
        actions={
          <Button
            component={Link}
            href={accountSettingsPath}
            variant="default"
            leftSection={<IconSettings size={15} stroke={1.6} aria-hidden />}
          >
            Account settings
          </Button>
        }
      />
      <div className={s.columns}>
        <div className={s.column}>
          <ProfileDescription me={me} />
          <ProfileConnections me={me} />
        </div>
        {readsEvents && <OwnEvents login={login} />}
      </div>
    </>
  );
}

const Loading = () => (
  <div aria-busy="true">
    <PageHeader title="Profile" />
    <p className="vh" role="status">
      Loading
    </p>
    <div className={s.columns}>
      <span className={s.placeholder} />
      <span className={s.placeholder} />
    </div>
  </div>
);
