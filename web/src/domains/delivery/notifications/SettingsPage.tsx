import { getNotificationSettings } from '@sightline/contract/delivery/notifications.ts';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { useUrlQuery } from '#lib/url-query.ts';
import { Failure } from '#ui/Failure.tsx';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Panel } from '#ui/Panel.tsx';
import { OwnSettings } from './OwnSettings.tsx';
import { RoleSettings } from './RoleSettings.tsx';

const address = z.object({ of: z.enum(['me', 'roles']).default('me') });
const home = '/notification/settings';

/** Notification preferences of the user. Owners also edit the defaults of roles. */
export function NotificationSettingsPage() {
  const [{ of }] = useUrlQuery(address);
  const owner = hasPermission(useSession(), 'update:org');
  const settingsQuery = useQuery({ ...endpointQuery(getNotificationSettings, {}), meta: { quiet: true } });
  return (
    <>
      <PageHeader
        title="Notification settings"
        help={{ href: docsHref('notifications', 'your-settings'), about: 'notification settings' }}
        back={{ label: 'Notifications', href: '/notifications' }}
        note="Types, channels and frequency of your notifications."
      />
      {owner && (
        <LinkTabs
          label="Settings"
          current={of === 'roles' ? `${home}?of=roles` : home}
          tabs={[
            { label: 'For you', href: home },
            { label: 'For roles', href: `${home}?of=roles` },
          ]}
        />
      )}
      {owner && of === 'roles' ? (
        <RoleSettings />
      ) : settingsQuery.data ? (
        <OwnSettings settings={settingsQuery.data} />
      ) : settingsQuery.error ? (
        <Panel>
          <Failure
            title="Your settings could not be loaded"
            error={settingsQuery.error}
            onRetry={() => void settingsQuery.refetch()}
          />
        </Panel>
      ) : null}
    </>
  );
}
