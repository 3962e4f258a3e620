import { TextInput } from '@mantine/core';
import { addTotp, beginTotp, type SecondFactors } from '@sightline/contract/identity/second-factors.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import s from './Account.module.css';
import { SkeletonRows } from './Section.tsx';

interface AddAppDialogProps {
  onClose: () => void;
  onAdded: (secondFactors: SecondFactors, recoveryCodes: readonly string[] | null) => void;
}

/** Adds an authenticator app by QR code or key. Stores nothing before a valid code confirms it. */
export function AddAppDialog({ onClose, onAdded }: AddAppDialogProps) {
  const [code, setCode] = useState('');
  const begin = useMutation({
    mutationFn: () => call(beginTotp, {}),
    meta: { quiet: true },
  });
  const { mutate: start } = begin;
  useEffect(() => start(), [start]);
  const add = useMutation({
    mutationFn: (setup: string) => call(addTotp, { body: { setup, code } }),
    onSuccess: ({ secondFactors, recoveryCodes }) => onAdded(secondFactors, recoveryCodes),
    meta: { quiet: true },
  });
  const ready = begin.data !== undefined && code.replace(/\s/g, '').length === 6;
  const error = add.error ?? begin.error;
  return (
    <FormDialog
      title="Set up an authenticator app"
      submit="Add"
      ready={ready}
      pending={add.isPending}
      problem={error ? errorMessageOf(error, 'The app could not be set up. Try again.') : undefined}
      onClose={onClose}
      onSubmit={() => begin.data && add.mutate(begin.data.setup)}
    >
      <p>Scan this code with an authenticator app or password manager.</p>
      {begin.data ? (
        <>
          <img
            className={s.qr}
            alt="QR code for the authenticator app"
            src={`data:image/svg+xml,${encodeURIComponent(begin.data.qr)}`}
          />
          <div className={s.secret}>
            <p>
              Cannot scan it? Enter this key manually: <code>{spaced(begin.data.secret)}</code>
            </p>
            <CopyButton compact value={begin.data.secret} label="Copy key" />
          </div>
        </>
      ) : (
        !error && <SkeletonRows rows={3} />
      )}
      <TextInput
        label="Code"
        description="The six digits that the app shows now"
        value={code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        data-autofocus
        onChange={({ currentTarget }) => {
          add.reset();
          setCode(currentTarget.value);
        }}
      />
    </FormDialog>
  );
}

const spaced = (secret: string) => (secret.match(/.{1,4}/g) ?? []).join(' ');
