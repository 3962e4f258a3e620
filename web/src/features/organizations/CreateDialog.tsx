import { Button, TextInput } from '@mantine/core';
import {
  createOrganization,
  organizationNameError,
  organizationNameMessageInModal,
} from '@sightline/contract/organizations.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '#lib/api.ts';
import { reasonOf } from '#lib/reason.ts';
import { signIn } from '#lib/sign-in.ts';
import { Banner } from '#ui/Banner.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { logFailure } from './reason.ts';

const formId = 'create-organization';

/** spec 2.8: a name, Save and Close. A new organization is signed in to at once. */
export function CreateDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [name, setName] = useState('');
  const error = organizationNameError(name, organizationNameMessageInModal);
  const create = useMutation({
    mutationFn: async () => {
      const { id } = await call(createOrganization, { body: { displayName: name } });
      await signIn({ organization: id, path: '/' });
    },
    meta: { quiet: true },
    onError: (error) => logFailure(error),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Dialog
      title="Create New Organization"
      opened={opened}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button
            type="submit"
            form={formId}
            disabled={name === '' || error !== undefined}
            loading={create.isPending || create.isSuccess}
          >
            Save
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit}>
        <TextInput
          label="Name"
          value={name}
          error={error}
          data-autofocus
          autoComplete="organization"
          onChange={({ currentTarget }) => setName(currentTarget.value.trimStart())}
        />
      </form>
      {create.error && <Banner tone="error">{reasonOf(create.error, 'The organization could not be created.')}</Banner>}
    </Dialog>
  );
}
