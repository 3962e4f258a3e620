import { Button, Select } from '@mantine/core';
import type { OrganizationSecurity } from '@sightline/contract/organization/organization-security.ts';
import { useState } from 'react';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import s from './Settings.module.css';
import { useUpdateSecurity } from './useUpdateSecurity.ts';

interface SessionPolicyProps {
  security: OrganizationSecurity;
  mayChange: boolean;
}

/** Shows and edits the session duration of members. */
export function SessionPolicy({ security, mayChange }: SessionPolicyProps) {
  const [isChanging, setChanging] = useState(false);
  return (
    <div className={s.setting}>
      <div>
        <h3 className={s.what}>Sessions</h3>
        <p>{describe(security)}</p>
      </div>
      {mayChange && (
        <Button variant="default" onClick={() => setChanging(true)}>
          Limit sessions
        </Button>
      )}
      {isChanging && <SessionDialog security={security} onClose={() => setChanging(false)} />}
    </div>
  );
}

function SessionDialog({ security, onClose }: { security: OrganizationSecurity; onClose: () => void }) {
  const [idle, setIdle] = useState(String(security.idleMinutes ?? ''));
  const [age, setAge] = useState(String(security.sessionHours ?? ''));
  const save = useUpdateSecurity('Session limits saved.', onClose);
  return (
    <FormDialog
      title="Limit sessions"
      submit="Save"
      ready
      pending={save.isPending}
      problem={save.error ? errorMessageOf(save.error, 'Not saved. Try again.') : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate({ idleMinutes: numberOf(idle), sessionHours: numberOf(age) })}
    >
      <p>After a session ends, members sign in again and return to the same page. Extensions stay connected.</p>
      <Select
        label="Idle timeout"
        data={choicesOf(idleChoices, security.idleMinutes, minutes)}
        value={idle}
        allowDeselect={false}
        onChange={(value) => setIdle(value ?? '')}
      />
      <Select
        label="Maximum session length"
        data={choicesOf(ageChoices, security.sessionHours, hours)}
        value={age}
        allowDeselect={false}
        onChange={(value) => setAge(value ?? '')}
      />
    </FormDialog>
  );
}

const idleChoices = [15, 30, 60, 240, 480, 1440, 10_080];
const ageChoices = [1, 4, 8, 12, 24, 72, 168, 336];

/** Returns the choices, with the current value if it is not one of them. */
const choicesOf = (choices: readonly number[], now: number | null, wordsOf: (value: number) => string) => [
  { value: '', label: 'No limit' },
  ...[...new Set([...choices, ...(now === null ? [] : [now])])]
    .toSorted((one, other) => one - other)
    .map((value) => ({ value: String(value), label: wordsOf(value) })),
];

const numberOf = (text: string): number | null => (text === '' ? null : Number(text));

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
const minutes = (count: number): string => (count % 60 === 0 ? hours(count / 60) : counted(count, 'minute'));
const hours = (count: number): string => (count % 24 === 0 ? counted(count / 24, 'day') : counted(count, 'hour'));

function describe({ idleMinutes, sessionHours }: OrganizationSecurity): string {
  const idle = idleMinutes === null ? undefined : `after ${minutes(idleMinutes)} without use`;
  const age = sessionHours === null ? undefined : `${hours(sessionHours)} after they signed in`;
  const limits = [idle, age].filter((part) => part !== undefined);
  return limits.length === 0
    ? 'Members stay signed in for up to 14 days.'
    : `Members sign in again ${limits.join(', and ')}.`;
}
