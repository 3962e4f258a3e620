import { Button, TextInput } from '@mantine/core';
import { addPasskey, beginPasskey, passkeyNameMax, type SecondFactors } from '@sightline/contract/second-factors.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '#lib/api.ts';
import { isPasskeyError, makePasskey } from '#lib/passkey.ts';
import { reasonOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import s from './Account.module.css';
import { GivenUp, useDelicate } from './delicate.ts';
import { systemNames, systemOf } from './platform.ts';

interface Props {
  onClose: () => void;
  onAdded: (secondFactors: SecondFactors, recoveryCodes: readonly string[] | null) => void;
}

const formId = 'passkey';

/** A name to know it by, then the browser does the rest. */
export function AddPasskeyDialog({ onClose, onAdded }: Props) {
  const delicate = useDelicate();
  const system = systemOf(navigator.userAgent);
  const [name, setName] = useState(system ? `This ${systemNames[system]} device` : 'This device');
  const add = useMutation({
    mutationFn: async () => {
      const options = await delicate(() => call(beginPasskey, {}));
      const passkey = await makePasskey(options);
      return delicate(() => call(addPasskey, { body: { name, passkey } }));
    },
    onSuccess: ({ secondFactors, recoveryCodes }) => onAdded(secondFactors, recoveryCodes),
    meta: { quiet: true },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') add.mutate();
  };
  return (
    <Dialog
      title="Add a passkey"
      opened
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} disabled={name.trim() === ''} loading={add.isPending}>
            Continue
          </Button>
        </>
      }
    >
      <form id={formId} className={s.stack} onSubmit={submit}>
        <p>Your browser asks for your fingerprint, face, PIN or security key. None of it ever reaches this server.</p>
        <TextInput
          label="Name"
          description="To tell it from others"
          value={name}
          maxLength={passkeyNameMax}
          data-autofocus
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {add.error && !(add.error instanceof GivenUp) && <Banner tone="error">{wordsOf(add.error)}</Banner>}
      </form>
    </Dialog>
  );
}

function wordsOf(error: unknown): string {
  if (!isPasskeyError(error)) return reasonOf(error, 'The passkey could not be added. Try again.');
  return error.isKnown
    ? 'This device has a passkey for your account already.'
    : 'The browser made no passkey. Try again, or use another device.';
}
