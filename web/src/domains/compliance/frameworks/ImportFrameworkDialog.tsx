import { FileInput, TextInput } from '@mantine/core';
import { importFramework, MAX_PROFILE_LENGTH } from '@sightline/contract/compliance/frameworks.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { frameworkHref } from './frameworkLabels.ts';

/** Imports an OSCAL profile or catalog and opens its page. */
export function ImportFrameworkDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const navigate = useNavigate();
  const load = useChange(
    async () => call(importFramework, { body: { name: name.trim(), document: (await file?.text()) ?? '' } }),
    (created) => navigate(frameworkHref(created)),
    { quiet: true },
  );
  const isTooLarge = (file?.size ?? 0) > MAX_PROFILE_LENGTH;
  return (
    <FormDialog
      title="Import a profile"
      submit="Import"
      ready={name.trim() !== '' && file !== null && !isTooLarge}
      pending={load.isPending}
      problem={
        isTooLarge
          ? `The file is larger than ${MAX_PROFILE_LENGTH / 1000} kB. Import a part of it.`
          : load.error
            ? errorMessageOf(load.error, 'The profile was not imported. Try again.')
            : undefined
      }
      onClose={onClose}
      onSubmit={() => load.mutate()}
    >
      <TextInput
        label="Name"
        maxLength={120}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
      />
      <FileInput
        label="File"
        description="An OSCAL profile that lists controls with-ids, or an OSCAL catalog, as JSON"
        placeholder="Choose a file"
        accept=".json,application/json"
        value={file}
        onChange={setFile}
      />
    </FormDialog>
  );
}
