import { Button, PasswordInput, TextInput } from '@mantine/core';
import { beginPasskeyProof, getReauthentication, reauthenticate } from '@sightline/contract/identity/sessions.ts';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { isPasskeyError, requestPasskey } from '#lib/passkey.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { currentSession } from '#lib/session.ts';
import { signIn } from '#lib/sign-in.ts';
import { Banner } from '#ui/Banner.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import s from './Account.module.css';

interface StepUpDialogProps {
  onConfirmed: () => void;
  onClose: () => void;
}

const formId = 'step-up';

/** Requires the strongest available confirmation: a passkey or a code, the password, or another sign-in. */
export function StepUpDialog({ onConfirmed, onClose }: StepUpDialogProps) {
  const { data, error } = useQuery({ ...endpointQuery(getReauthentication, {}), gcTime: 0, meta: { quiet: true } });
  const [given, setGiven] = useState('');
  const proofs = data?.proofs ?? [];
  const kind = proofs.includes('password') ? 'password' : 'code';
  const confirmation = useMutation({
    mutationFn: async (method: 'typed' | 'passkey') => {
      if (method === 'typed')
        return call(reauthenticate, { body: kind === 'password' ? { password: given } : { code: given } });
      const options = await call(beginPasskeyProof, {});
      return call(reauthenticate, { body: { passkey: await requestPasskey(options) } });
    },
    onSuccess: onConfirmed,
    meta: { quiet: true },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (given.trim() !== '') confirmation.mutate('typed');
  };
  const again = () =>
    signIn({ organization: currentSession()?.organization, path: here(), freshly: true }).catch(() => undefined);
  const typed = proofs.includes('password') || proofs.includes('code');
  return (
    <Dialog
      title="Confirm it is you"
      opened
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {typed && (
            <Button type="submit" form={formId} disabled={given.trim() === ''} loading={confirmation.isPending}>
              Confirm
            </Button>
          )}
          {proofs.includes('sign-in') && <Button onClick={() => void again()}>Sign in again</Button>}
        </>
      }
    >
      <div className={s.stack}>
        <p>
          {proofs.includes('sign-in')
            ? 'This change requires a recent sign-in. You return here afterwards.'
            : 'This change requires confirmation. You will not be asked again for five minutes.'}
        </p>
        {proofs.includes('passkey') && (
          <Button
            variant="default"
            leftSection={<IconFingerprint size={16} stroke={1.6} aria-hidden />}
            disabled={confirmation.isPending}
            onClick={() => confirmation.mutate('passkey')}
          >
            Use a passkey
          </Button>
        )}
        {typed && (
          <form id={formId} onSubmit={submit}>
            {kind === 'password' ? (
              <PasswordInput
                label="Password"
                value={given}
                autoComplete="current-password"
                data-autofocus
                onChange={({ currentTarget }) => setGiven(currentTarget.value)}
              />
            ) : (
              <TextInput
                label="Code"
                description="Of your authenticator app, or one of your recovery codes"
                value={given}
                autoComplete="one-time-code"
                data-autofocus
                onChange={({ currentTarget }) => setGiven(currentTarget.value)}
              />
            )}
          </form>
        )}
        {(confirmation.error || error) && (
          <Banner tone="error">
            {isPasskeyError(confirmation.error)
              ? 'The browser returned no passkey. Try again, or use another method.'
              : errorMessageOf(confirmation.error ?? error, 'The confirmation failed. Try again.')}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}

const here = () => `${window.location.pathname}${window.location.search}`;
