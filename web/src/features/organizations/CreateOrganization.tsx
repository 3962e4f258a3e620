import { Button, TextInput } from '@mantine/core';
import { ApiError } from '@sightline/contract/client.ts';
import {
  createOrganization,
  maySetUpOrganization,
  organizationNameError,
  organizationNameMessageInModal,
} from '@sightline/contract/organizations.ts';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ask, call } from '#lib/api.ts';
import { signIn } from '#lib/sign-in.ts';
import { Banner } from '#ui/Banner.tsx';
import { Dialog } from '#ui/Dialog.tsx';

/** Whether the account may create an organization; undefined until the server has answered. */
export function useMayCreate(): boolean | undefined {
  const { isSuccess, isError } = useQuery({ ...ask(maySetUpOrganization, {}), meta: { quiet: true } });
  return isSuccess ? true : isError ? false : undefined;
}

/** The button and its dialog; draws nothing for an account that may not. */
export function CreateOrganization() {
  const mayCreate = useMayCreate();
  const [opened, setOpened] = useState(false);
  if (!mayCreate) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setOpened(true)}>
        Create New Organization
      </Button>
      <CreateDialog opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

const formId = 'create-organization';

function CreateDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [name, setName] = useState('');
  const error = organizationNameError(name, organizationNameMessageInModal);
  const create = useMutation({
    mutationFn: async () => {
      const { id } = await call(createOrganization, { body: { displayName: name } });
      await signIn({ organization: id, path: '/' });
    },
    meta: { quiet: true },
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
      {create.error && (
        <Banner tone="error">
          {(create.error instanceof ApiError && create.error.refusal?.message) ||
            'The organization could not be created.'}
        </Banner>
      )}
    </Dialog>
  );
}
