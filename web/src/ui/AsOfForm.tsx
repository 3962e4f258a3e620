import { Button, TextInput } from '@mantine/core';
import { ApiError } from '@sightline/contract/core/client.ts';
import { type FormEvent, type ReactNode, useState } from 'react';
import s from './AsOf.module.css';

export interface AsOfFormProps {
  /** Throws if the ledger has no such time or size. */
  choose: (choice: { at: string } | { ledgerSize: string }) => Promise<void>;
  onDone: () => void;
}

/** Selects a time, in the time zone of the browser, or a ledger size. */
export function AsOfForm({ choose, onDone }: AsOfFormProps) {
  const [time, setTime] = useState('');
  const [size, setSize] = useState('');
  const [failure, setFailure] = useState<{ field: 'time' | 'size'; message: string }>();
  const [pending, setPending] = useState(false);
  const submit = (field: 'time' | 'size', choice: Parameters<typeof choose>[0]) => {
    setPending(true);
    setFailure(undefined);
    choose(choice)
      .then(onDone, (error: unknown) => setFailure({ field, message: messageOf(error) }))
      .finally(() => setPending(false));
  };
  const errorOf = (field: 'time' | 'size') => (failure?.field === field ? failure.message : undefined);
  return (
    <div className={s.form}>
      <p className={s.text}>Shows what the ledger had recorded until a time, or at a ledger size.</p>
      <Field
        action="Show time"
        disabled={time === '' || pending}
        onSubmit={() => submit('time', { at: new Date(time).toISOString() })}
      >
        <TextInput
          type="datetime-local"
          step={1}
          label="Time"
          value={time}
          error={errorOf('time')}
          onChange={({ currentTarget }) => setTime(currentTarget.value)}
        />
      </Field>
      <Field
        action="Show size"
        disabled={size.trim() === '' || pending}
        onSubmit={() => submit('size', { ledgerSize: size.trim().replaceAll(',', '') })}
      >
        <TextInput
          label="Ledger size"
          description="The number of entries, such as 4711, or 1.4711 with its epoch"
          inputMode="decimal"
          value={size}
          error={errorOf('size')}
          onChange={({ currentTarget }) => setSize(currentTarget.value)}
        />
      </Field>
    </div>
  );
}

interface FieldProps {
  action: string;
  disabled: boolean;
  onSubmit: () => void;
  children: ReactNode;
}

const Field = ({ action, disabled, onSubmit, children }: FieldProps) => (
  <form
    className={s.field}
    onSubmit={(event: FormEvent) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
    <Button type="submit" variant="default" disabled={disabled}>
      {action}
    </Button>
  </form>
);

const messageOf = (error: unknown): string =>
  (error instanceof ApiError && error.refusal?.message) || 'The server could not be reached. Check your connection.';
