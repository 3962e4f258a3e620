import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import type { Cadence, NotificationSettings } from '@sightline/contract/delivery/notifications.ts';
import { Panel } from '#ui/Panel.tsx';
import { cadenceChoices, ownTimezone, timezones } from './choices.ts';
import s from './Settings.module.css';

interface MailSettingsProps {
  chosen: NotificationSettings;
  onChange: (patch: Partial<NotificationSettings>) => void;
  /** The role fixes the frequency of emails. */
  locked: boolean;
  email: string;
  nextMailAt: string | null;
}

const night = { from: '22:00', until: '07:00' };

/** Frequency of emails, and quiet hours. */
export function MailSettings({ chosen, onChange, locked, email, nextMailAt }: MailSettingsProps) {
  const { cadence, quietHours, timezone, sendEmpty } = chosen;
  const here = ownTimezone();
  const next =
    nextMailAt &&
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(nextMailAt));
  return (
    <Panel title="Email">
      <div className={s.fields}>
        <p className="dim">
          Emails are sent to {email}. Each email summarizes all activity since the last one, without notifications that
          you have read.
          {next && ` The next email is due on ${next}.`}
        </p>
        <NativeSelect
          label="Frequency"
          disabled={locked}
          data={cadenceChoices.map((choice) => ({ ...choice }))}
          value={cadence}
          onChange={({ currentTarget }) => onChange({ cadence: currentTarget.value as Cadence })}
        />
        <Switch
          label="Also without activity"
          description={
            cadence === 'daily' || cadence === 'weekly'
              ? 'Confirms that notifications work. For daily and weekly emails.'
              : 'For daily and weekly mails.'
          }
          checked={sendEmpty}
          disabled={cadence !== 'daily' && cadence !== 'weekly'}
          onChange={({ currentTarget }) => onChange({ sendEmpty: currentTarget.checked })}
        />
        <div className={s.beside}>
          <NativeSelect
            label="Time zone"
            data={timezones(timezone)}
            value={timezone}
            onChange={({ currentTarget }) => onChange({ timezone: currentTarget.value })}
          />
          {timezone !== here && (
            <Button variant="default" onClick={() => onChange({ timezone: here })}>
              Use {here.replaceAll('_', ' ')}
            </Button>
          )}
        </div>
        <Switch
          label="Quiet hours"
          description="Emails due during quiet hours are sent afterwards."
          checked={quietHours !== null}
          onChange={({ currentTarget }) => onChange({ quietHours: currentTarget.checked ? night : null })}
        />
        {quietHours && (
          <div className={s.beside}>
            {(['from', 'until'] as const).map((end) => (
              <TextInput
                key={end}
                type="time"
                required
                label={end === 'from' ? 'From' : 'Until'}
                value={quietHours[end]}
                onChange={({ currentTarget }) =>
                  onChange({ quietHours: { ...quietHours, [end]: currentTarget.value } })
                }
              />
            ))}
          </div>
        )}
      </div>
    </Panel>
  );
}
