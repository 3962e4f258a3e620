import { Button, NativeSelect, SegmentedControl, Switch } from '@mantine/core';
import {
  type Cadence,
  listNotificationDefaults,
  type NotificationDefaults,
  updateNotificationDefaults,
} from '@sightline/contract/notifications.ts';
import { type RoleId, roleNames } from '@sightline/contract/permissions.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ask, call, keyOf } from '#lib/api.ts';
import { useFlag } from '#lib/flags.ts';
import { reasonOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Panel } from '#ui/Panel.tsx';
import { toast } from '#ui/toast.ts';
import { cadenceChoices, thresholdChoices } from './choices.ts';
import { Matrix } from './Matrix.tsx';
import s from './Settings.module.css';

/** What each role is told unless somebody chooses otherwise, or, locked, whatever they would choose. */
export function RoleSettings() {
  const asked = useQuery({ ...ask(listNotificationDefaults, {}), meta: { quiet: true } });
  const auditors = useFlag('businessRoles');
  const [role, setRole] = useState<RoleId>('rol_contributor');
  if (asked.error && !asked.data) {
    return (
      <Panel>
        <Failure
          title="The settings of roles could not be loaded"
          error={asked.error}
          onRetry={() => void asked.refetch()}
        />
      </Panel>
    );
  }
  const roles = asked.data?.filter((one) => one.role !== 'rol_auditor' || auditors);
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
  const [draft, setDraft] = useState<Partial<NotificationDefaults>>({});
  const queryClient = useQueryClient();
  const chosen = { ...settings, ...draft };
  const changed = JSON.stringify(chosen) !== JSON.stringify(settings);
  const save = useMutation({
    mutationFn: () => call(updateNotificationDefaults, { params: { role }, body: chosen }),
    onSuccess: () => {
      toast.success(`The settings of ${roleNames[role]} are saved.`);
      setDraft({});
      return queryClient.invalidateQueries({ queryKey: keyOf(listNotificationDefaults) });
    },
    meta: { quiet: true },
  });
  const change = (patch: Partial<NotificationDefaults>) => {
    save.reset();
    setDraft({ ...draft, ...patch });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (changed) save.mutate();
  };
  return (
    <form className={s.page} onSubmit={submit}>
      <Panel title={`What a ${roleNames[role]} is told`} flush>
        <Matrix
          label={`What a ${roleNames[role]} is told`}
          matrix={chosen.matrix}
          onChange={(matrix) => change({ matrix })}
          disabled={false}
        />
      </Panel>
      <Panel title="How much and how often">
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
            label="Mail"
            data={cadenceChoices.map((choice) => ({ ...choice }))}
            value={chosen.cadence}
            onChange={({ currentTarget }) => change({ cadence: currentTarget.value as Cadence })}
          />
          <Switch
            label="Locked"
            description="Nobody of this role chooses otherwise. What they had chosen is theirs again once it is unlocked."
            checked={chosen.locked}
            onChange={({ currentTarget }) => change({ locked: currentTarget.checked })}
          />
        </div>
      </Panel>
      {save.error && (
        <Banner tone="error">
          {reasonOf(save.error, 'The settings could not be saved. What you chose is still here.')}
        </Banner>
      )}
      <div className={s.actions}>
        <Button type="submit" disabled={!changed} loading={save.isPending}>
          Save
        </Button>
        {changed && (
          <Button variant="default" onClick={() => setDraft({})}>
            Discard changes
          </Button>
        )}
      </div>
    </form>
  );
}
