import type { Account } from '@sightline/contract/identity/accounts.ts';
import type { Organization } from '@sightline/contract/organization/organizations.ts';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { OrganizationBanners } from '#domains/organization/organizations/OrganizationBanners.tsx';
import { account, organizations } from '#lib/account.ts';
import { docsHref } from '#lib/docs.ts';
import { afterFirstScreen } from '#lib/first-screen.ts';
import { useFlag, useFlagsAwaited } from '#lib/flags.ts';
import { useExtensions, useStatusWatch } from '#lib/presence.ts';
import { accountSettingsPath, profilePath } from '#lib/profile.ts';
import { useLastingConnectionError } from '#lib/realtime.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { signIn, signOut } from '#lib/sign-in.ts';
import { isNonProduction } from '#lib/site.ts';
import { showError } from './errors.ts';
import { FirstScreen } from './FirstScreen.tsx';
import { reservedHandles } from './handles.ts';
import { InFrameContext } from './InFrameContext.ts';
import { NotAllowed } from './NotAllowed.tsx';
import { CommandPalette } from './palette/CommandPalette.tsx';
import { useRealtimeUpdates } from './realtime-updates.ts';
import {
  entryFor,
  evidenceEntries,
  mainEntries,
  type NavigationEntry,
  notificationsEntry,
  organizationEntries,
} from './shell/navigation.ts';
import { Shell } from './shell/Shell.tsx';
import { ConnectionStrip, EnvironmentStrip } from './shell/Strips.tsx';
import type { ShellUser } from './shell/UserMenu.tsx';

const NotificationBell = lazy(async () => {
  await afterFirstScreen();
  return { default: (await import('./NotificationBell.tsx')).NotificationBell };
});
const EmployeeSettings = lazy(async () => ({
  default: (await import('#domains/identity/flags/EmployeeSettings.tsx')).EmployeeSettings,
}));

/** The shell with its data: organizations, account, extensions, flags, connection. */
export function ShellFrame({ active }: { active: string }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const { routesByPath } = useRouter();
  const session = useSession();
  const has = (href: string) => href in routesByPath;
  const sees = ({ permission }: NavigationEntry) => permission === undefined || hasPermission(session, permission);
  const here = entryFor(path);
  const me = useQuery(account()).data;
  const login = me?.traits.github?.login;
  const joined = useQuery({ ...organizations(), select: withoutInvitations }).data;
  const extensions = useExtensions();
  const navigation = { vulnerabilities: useFlag('vulnerabilities'), releaseTwo: useFlag('release2') };
  const isAwaited = useFlagsAwaited();
  const [isReady, setReady] = useState(false);
  const showPage = useCallback(() => setReady(true), []);
  const showNotifications = useFlag('notificationSystem') && has('/notification/settings');
  const profileHref = login === undefined ? undefined : profilePath(login, reservedHandles(Object.keys(routesByPath)));
  const onOrganization = (organization: string) => void signIn({ organization, path: '/' }).catch(showError);
  const [palette, setPalette] = useState(false);
  const [employeeSettings, setEmployeeSettings] = useState(false);
  const entries = [
    ...mainEntries(navigation),
    ...evidenceEntries,
    ...organizationEntries,
    ...(showNotifications ? [notificationsEntry] : []),
  ].filter((entry) => has(entry.href) && sees(entry));
  useRealtimeUpdates();
  return (
    <Shell
      path={path}
      flags={navigation}
      has={(entry) => has(entry.href) && sees(entry)}
      documentationHref={documentationHref}
      bell={
        showNotifications && (
          <Suspense>
            <NotificationBell />
          </Suspense>
        )
      }
      onPalette={() => setPalette(true)}
      organization={{
        organizations: joined?.map(({ id, displayName, logoUrl }) => ({
          id,
          name: displayName,
          logo: logoUrl ?? undefined,
        })),
        activeId: active,
        onChoose: onOrganization,
        manageHref: '/organizations',
      }}
      account={{
        user: userOf(me, session?.accountId),
        extensions: extensions && [
          { label: 'Browser extension', connected: extensions.browser_status === 'connected' },
          { label: 'Editor extension', connected: extensions.ide_status === 'connected' },
        ],
        showNotifications,
        profileHref,
        accountHref: has(accountSettingsPath) ? accountSettingsPath : undefined,
        personalDataHref: has('/me/personal-data') ? '/me/personal-data' : undefined,
        getExtensionsHref: has(accountSettingsPath) ? `${accountSettingsPath}#downloads` : undefined,
        isOperator: me?.traits.isOperator === true,
        onEmployeeSettings: me?.traits.isEmployee ? () => setEmployeeSettings(true) : undefined,
        onLogout: () => void signOut(),
      }}
      strips={<Strips />}
    >
      <StatusWatch />
      <CommandPalette
        opened={palette}
        onOpen={() => setPalette(true)}
        onClose={() => setPalette(false)}
        entries={entries}
        has={has}
        may={(permission) => hasPermission(session, permission)}
        flags={{ ...navigation, notifications: showNotifications }}
        organizations={(joined ?? []).map(({ id, displayName }) => ({ id, name: displayName }))}
        activeId={active}
        profileHref={profileHref}
        documentationHref={documentationHref}
        onOrganization={onOrganization}
      />
      <div hidden={!isReady}>
        <OrganizationBanners onReady={showPage} />
      </div>
      <InFrameContext value>
        {here && !sees(here) ? <NotAllowed title={here.label} /> : isAwaited && isReady ? <Outlet /> : <Waiting />}
      </InFrameContext>
      {isAwaited && isReady && <FirstScreen />}
      {me?.traits.isEmployee && (
        <Suspense>
          <EmployeeSettings
            account={me.nid}
            opened={employeeSettings}
            onClose={() => setEmployeeSettings(false)}
            onReload={() => window.location.reload()}
          />
        </Suspense>
      )}
    </Shell>
  );
}

const userOf = (me: Account | undefined, id: string | undefined): ShellUser => ({
  id,
  name: me?.name ?? '',
  email: me?.email,
  picture: me?.picture ?? undefined,
});

// The skeleton of index.html remains visible until the flags are known.
const Waiting = () => (
  <div className="waiting-page" aria-busy="true">
    <span />
    <span />
  </div>
);

const documentationHref = docsHref('getting-started');

// A separate component, so that frequent polling does not rerender others.
function StatusWatch() {
  useStatusWatch();
  return null;
}

function Strips() {
  const error = useLastingConnectionError();
  return (
    <>
      {isNonProduction() && <EnvironmentStrip label="Not a production server" />}
      <ConnectionStrip lost={error !== undefined}>
        Connection lost ({error}). Data may be out of date. Reconnecting.
      </ConnectionStrip>
    </>
  );
}

const withoutInvitations = (all: Organization[]) => all.filter(({ invitation }) => invitation === null);
