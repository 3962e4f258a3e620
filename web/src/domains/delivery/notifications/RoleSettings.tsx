import { NativeSelect, SegmentedControl, Switch } from '@mantine/core';
import { type RoleId, roleNames } from '@sightline/contract/core/permissions.ts';
import { chatServices } from '@sightline/contract/delivery/chat.ts';
import {
  type Cadence,
  listNotificationDefaults,
  type NotificationDefaults,
  updateNotificationDefaults,
} from '@sightline/contract/delivery/notifications.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useFlag } from '#lib/flags.ts';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { toast } from '#ui/toast.ts';
import { cadenceChoices, thresholdChoices } from './choices.ts';
import { DraftForm, useSettingsDraft } from './Draft.tsx';
import { NotificationMatrixTable } from './NotificationMatrixTable.tsx';
import s from './Settings.module.css';

/** The default notification settings of each role. Locked settings override those of members. */
export function RoleSettings() {
  const defaultsQuery = useQuery({ ...endpointQuery(listNotificationDefaults, {}), meta: { quiet: true } });
  const auditors = useFlag('businessRoles');
  const [role, setRole] = useState<RoleId>('rol_contributor');
  if (defaultsQuery.error && !defaultsQuery.data) {
    return (
      <Panel>
        <Failure
          title="The settings of roles could not be loaded"
          error={defaultsQuery.error}
          onRetry={() => void defaultsQuery.refetch()}
        />
      </Panel>
    );
  }
  const roles = defaultsQuery.data?.filter((one) => one.role !== 'rol_auditor' || auditors);
  const settings = roles?.find((one) => one.role === role)?.settings;
  if (!roles || !settings) return null;
  return (
    <div className={s.page}>
      <div className={s.roles}>
        <SegmentedControl
          aria-label="Role"
          data={roles.map((one) => ({ value: one.role, label: roleNames[one.role] }))}
          value={role}
          onChange={(value) => setRole(value as RoleId)}
        />
      </div>
      <Form key={role} role={role} settings={settings} />
    </div>
  );
}

function Form({ role, settings }: { role: RoleId; settings: NotificationDefaults }) {
  const draft = useSettingsDraft(
    settings,
    (body) => call(updateNotificationDefaults, { params: { role }, body }),
    () => toast.success(`The settings of ${roleNames[role]} are saved.`),
  );
  const { chosen, change } = draft;
  return (
    <DraftForm draft={draft} failed="The settings were not saved. Your input is unchanged.">
      <Panel title={`Notifications for ${roleNames[role]}`} flush>
        <NotificationMatrixTable
          label={`Notifications for ${roleNames[role]}`}
          matrix={chosen.matrix}
          forRole={role}
          onChange={(matrix) => change({ matrix })}
          disabled={false}
          chats={chatServices}
        />
      </Panel>
      <Panel title="Severity and frequency">
        <div className={s.fields}>
          <NativeSelect
            label="Vulnerabilities"
            data={thresholdChoices.map((choice) => ({ ...choice }))}
            value={chosen.minSeverity}
            onChange={({ currentTarget }) =>
              change({ minSeverity: currentTarget.value as NotificationDefaults['minSeverity'] })
            }
          />
          <NativeSelect
            label="Email"
            data={cadenceChoices.map((choice) => ({ ...choice }))}
            value={chosen.cadence}
            onChange={({ currentTarget }) => change({ cadence: currentTarget.value as Cadence })}
          />
          <Switch
            label="Locked"
            description="Members with this role cannot change these settings. Their own settings apply again after you unlock them."
            checked={chosen.locked}
            onChange={({ currentTarget }) => change({ locked: currentTarget.checked })}
          />
        </div>
      </Panel>
    </DraftForm>
  );
}
