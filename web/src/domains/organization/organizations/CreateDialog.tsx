import { TextInput } from '@mantine/core';
import {
  createOrganization,
  organizationNameError,
  organizationNameMessageInModal,
} from '@sightline/contract/organization/organizations.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { errorMessageOf, logUpdateFailure } from '#lib/reason.ts';
import { signIn } from '#lib/sign-in.ts';
import { FormDialog } from '#ui/FormDialog.tsx';

/** spec 2.8: a name, Save and Close. Signs in to the new organization immediately. */
export function CreateDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [name, setName] = useState('');
  const error = organizationNameError(name, organizationNameMessageInModal);
  const create = useMutation({
    mutationFn: async () => {
      const { id } = await call(createOrganization, { body: { displayName: name } });
      await signIn({ organization: id, path: '/' });
    },
    meta: { quiet: true },
    onError: (error) => logUpdateFailure(error),
  });
  return (
    <FormDialog
      title="Create New Organization"
      opened={opened}
      submit="Save"
      leave="Close"
      ready={name !== '' && error === undefined}
      pending={create.isPending || create.isSuccess}
      problem={create.error ? errorMessageOf(create.error, 'The organization was not created.') : undefined}
      onClose={onClose}
      onSubmit={() => create.mutate()}
    >
      <TextInput
        label="Name"
        value={name}
        error={error}
        data-autofocus
        autoComplete="organization"
        onChange={({ currentTarget }) => setName(currentTarget.value.trimStart())}
      />
    </FormDialog>
  );
}
