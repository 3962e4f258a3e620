import { Button, NativeSelect } from '@mantine/core';
import { roleIds, roleNames } from '@sightline/contract/core/permissions.ts';
import { listOwnChats } from '@sightline/contract/delivery/chat.ts';
import type { NotificationType } from '@sightline/contract/delivery/notification-types.ts';
import {
  getNotificationSettings,
  type NotificationSettings,
  type OwnNotificationSettings,
  updateNotificationSettings,
} from '@sightline/contract/delivery/notifications.ts';
import { listOutgoingWebhooks } from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call, endpointQuery, keyOf } from '#lib/api.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { useSession } from '#lib/session.ts';
import { Banner } from '#ui/Banner.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { toast } from '#ui/toast.ts';
import { ChatSettings } from './ChatSettings.tsx';
import { thresholdChoices } from './choices.ts';
import { DraftForm, useSettingsDraft } from './Draft.tsx';
import { MailSettings } from './MailSettings.tsx';
import { NotificationMatrixTable } from './NotificationMatrixTable.tsx';
import { RepositoryChoice } from './RepositoryChoice.tsx';
import s from './Settings.module.css';

/** The notification settings of the current user. */
export function OwnSettings({ settings }: { settings: OwnNotificationSettings }) {
  const { locked, defaults, email, nextMailAt, ...saved } = settings;
  const queryClient = useQueryClient();
  const draft = useSettingsDraft<NotificationSettings, OwnNotificationSettings>(
    saved,
    (body) => call(updateNotificationSettings, { body }),
    (now) => {
      queryClient.setQueryData(keyOf(getNotificationSettings, {}), now);
      toast.success('Your settings are saved.');
    },
  );
  const { chosen, change } = draft;
  const webhooks = useWebhookCounts();
  const chats = useQuery({ ...endpointQuery(listOwnChats, {}), meta: { quiet: true } }).data ?? [];
  const session = useSession();
  const role = roleIds.find((id) => session?.roles.includes(roleNames[id]));
  const isDefault =
    JSON.stringify([chosen.matrix, chosen.minSeverity, chosen.cadence]) ===
    JSON.stringify([defaults.matrix, defaults.minSeverity, defaults.cadence]);
  return (
    <DraftForm draft={draft} failed="Your preferences were not saved. Your input is unchanged.">
      {locked && (
        <Banner tone="info">
          An Account Owner manages the notifications and frequency for your role. You can change quiet hours, time zone
          and repositories.
        </Banner>
      )}
      <Panel
        title="Notification preferences"
        flush
        aside={
          !locked && !isDefault ? (
            <Button variant="subtle" size="compact-sm" onClick={() => change(defaults)}>
              Use role defaults
            </Button>
          ) : undefined
        }
      >
        <NotificationMatrixTable
          label="Notification preferences"
          matrix={chosen.matrix}
          forRole={role}
          onChange={(matrix) => change({ matrix })}
          disabled={locked}
          chats={chats.filter(({ linked }) => linked !== null).map(({ service }) => service)}
          extra={
            webhooks && {
              header: 'Webhooks',
              cell: (type) => <WebhookCount count={webhooks(type)} />,
            }
          }
        />
      </Panel>
      <Panel title="Vulnerabilities and repositories">
        <div className={s.fields}>
          <NativeSelect
            label="Vulnerabilities"
            description="Lower severities are excluded."
            disabled={locked}
            data={thresholdChoices.map((choice) => ({ ...choice }))}
            value={chosen.minSeverity}
            onChange={({ currentTarget }) =>
              change({ minSeverity: currentTarget.value as NotificationSettings['minSeverity'] })
            }
          />
          <RepositoryChoice value={chosen.repositories} onChange={(repositories) => change({ repositories })} />
        </div>
      </Panel>
      {chats.length > 0 && <ChatSettings chats={chats} />}
      <MailSettings chosen={chosen} onChange={change} locked={locked} email={email} nextMailAt={nextMailAt} />
    </DraftForm>
  );
}

/** Returns the number of webhooks per notification type; undefined without permission to see webhooks. */
function useWebhookCounts(): ((type: NotificationType) => number) | undefined {
  const manages = useMayManageIntegrations();
  const { data } = useQuery({
    ...endpointQuery(listOutgoingWebhooks, { query: { perPage: 100 } }),
    enabled: manages,
    meta: { quiet: true },
  });
  if (!data) return undefined;
  const live = data.rows.filter(({ state }) => state === 'active' || state === 'failing');
  return (type) => live.filter(({ types }) => types === null || types.includes(type)).length;
}

const WebhookCount = ({ count }: { count: number }) =>
  count === 0 ? (
    <span className="dim">
      –<span className="vh"> none</span>
    </span>
  ) : (
    <Link className="link" href="/organization/webhooks">
      {count}
      <span className="vh"> outgoing {count === 1 ? 'webhook' : 'webhooks'}</span>
    </Link>
  );
