import { Button, TextInput } from '@mantine/core';
import { archiveOrganization, type Organization, restorableDays } from '@sightline/contract/organizations.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '#lib/api.ts';
import { reasonOf } from '#lib/reason.ts';
import { signIn } from '#lib/sign-in.ts';
import { Banner } from '#ui/Banner.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { causeOf, logFailure } from './reason.ts';
import s from './Settings.module.css';

const formId = 'archive-organization';

/** Asks for the name before it archives, then signs in anew: the token of an archived organization only reads. */
export function ArchiveDialog({ organization, onClose }: { organization: Organization; onClose: () => void }) {
  const { id, displayName } = organization;
  const [typed, setTyped] = useState('');
  const archive = useMutation({
    mutationFn: async () => {
      await call(archiveOrganization, {});
      await signIn({ organization: id, path: '/organization/settings' });
    },
    meta: { quiet: true },
    onError: (error) => logFailure(error),
  });
  const ready = typed.trim() === displayName;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) archive.mutate();
  };
  return (
    <Dialog
      title={`Archive ${displayName}?`}
      opened
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            color="red"
            data-danger
            disabled={!ready}
            // Until the browser has left for the sign-in page.
            loading={archive.isPending || archive.isSuccess}
          >
            Archive organization
          </Button>
        </>
      }
    >
      <form id={formId} className={s.confirm} onSubmit={submit}>
        <p>
          Everybody but its account owners loses access at once, and it becomes read-only. Within {restorableDays} days
          an account owner can restore it together with its members.
        </p>
        <TextInput
          label={`Type ${displayName} to confirm`}
          value={typed}
          data-autofocus
          autoComplete="off"
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {archive.error && (
          <Banner tone="error" details={causeOf(archive.error)}>
            {reasonOf(archive.error, 'The organization could not be archived.')}
          </Banner>
        )}
      </form>
    </Dialog>
  );
}
