import { TextInput } from '@mantine/core';
import {
  addPasskey,
  beginPasskey,
  passkeyNameMax,
  type SecondFactors,
} from '@sightline/contract/identity/second-factors.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { createPasskey, isPasskeyError } from '#lib/passkey.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { operatingSystemOf, systemNames } from './platform.ts';

interface AddPasskeyDialogProps {
  onClose: () => void;
  onAdded: (secondFactors: SecondFactors, recoveryCodes: readonly string[] | null) => void;
}

/** Names a passkey and creates it in the browser. */
export function AddPasskeyDialog({ onClose, onAdded }: AddPasskeyDialogProps) {
  const system = operatingSystemOf(navigator.userAgent);
  const [name, setName] = useState(system ? `This ${systemNames[system]} device` : 'This device');
  const add = useMutation({
    mutationFn: async () => {
      const options = await call(beginPasskey, {});
      const passkey = await createPasskey(options);
      return call(addPasskey, { body: { name, passkey } });
    },
    onSuccess: ({ secondFactors, recoveryCodes }) => onAdded(secondFactors, recoveryCodes),
    meta: { quiet: true },
  });
  return (
    <FormDialog
      title="Add a passkey"
      submit="Continue"
      ready={name.trim() !== ''}
      pending={add.isPending}
      problem={add.error ? wordsOf(add.error) : undefined}
      onClose={onClose}
      onSubmit={() => add.mutate()}
    >
      <p>Your browser asks for your fingerprint, face, PIN or security key. None of these reach this server.</p>
      <TextInput
        label="Name"
        description="To recognize it in the list"
        value={name}
        maxLength={passkeyNameMax}
        data-autofocus
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </FormDialog>
  );
}

function wordsOf(error: unknown): string {
  if (!isPasskeyError(error)) return errorMessageOf(error, 'The passkey could not be added. Try again.');
  return error.isKnown
    ? 'This device already has a passkey for your account.'
    : 'The browser created no passkey. Try again, or use another device.';
}
