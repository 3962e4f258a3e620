import { TextInput } from '@mantine/core';
import {
  archiveOrganization,
  type Organization,
  RESTORE_PERIOD_DAYS,
} from '@sightline/contract/organization/organizations.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { errorMessageOf, logUpdateFailure } from '#lib/reason.ts';
import { signIn } from '#lib/sign-in.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { errorCauseOf } from './errorCause.ts';

/** Requires the name before archiving, then signs in again: tokens of archived organizations are read-only. */
export function ArchiveDialog({ organization, onClose }: { organization: Organization; onClose: () => void }) {
  const { id, displayName } = organization;
  const [typed, setTyped] = useState('');
  const archive = useMutation({
    mutationFn: async () => {
      await call(archiveOrganization, {});
      await signIn({ organization: id, path: '/organization/settings' });
    },
    meta: { quiet: true },
    onError: (error) => logUpdateFailure(error),
  });
  return (
    <FormDialog
      title={`Archive ${displayName}?`}
      submit="Archive organization"
      danger
      ready={typed.trim() === displayName}
      // Pending until the browser has left for the sign-in page.
      pending={archive.isPending || archive.isSuccess}
      problem={archive.error ? errorMessageOf(archive.error, 'The organization could not be archived.') : undefined}
      details={errorCauseOf(archive.error)}
      onClose={onClose}
      onSubmit={() => archive.mutate()}
    >
      <p>
        All members except Account Owners lose access immediately, and the organization becomes read-only. Within{' '}
        {RESTORE_PERIOD_DAYS} days an Account Owner can restore it with its members.
      </p>
      <TextInput
        label={`Type ${displayName} to confirm`}
        value={typed}
        data-autofocus
        autoComplete="off"
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </FormDialog>
  );
}
