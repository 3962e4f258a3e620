import { Button, Select, TextInput } from '@mantine/core';
import { organizationKeyUses } from '@sightline/contract/core/access-key-uses.ts';
import { accessKeyLifetimeDays, createAccessKey } from '@sightline/contract/identity/access-keys.ts';
import { listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { FormDialog } from '#ui/FormDialog.tsx';
import s from './AccessKeys.module.css';
import { accessKeyUseLabels } from './accessKeyColumns.tsx';

/** Creates a named access key and shows it once. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [use, setUse] = useState<(typeof organizationKeyUses)[number]>('sarif');
  const [repositoryId, setRepositoryId] = useState<string | null>(null);
  const [days, setDays] = useState<number | null>(365);
  const repositories = useEnabled();
  const create = useChange(
    () => call(createAccessKey, { body: { name, use, repositoryId: use === 'sarif' ? repositoryId : null, days } }),
    undefined,
    {
      quiet: true,
    },
  );
  if (create.data) return <CreatedKey name={create.data.accessKey.name} value={create.data.key} onClose={onClose} />;
  return (
    <FormDialog
      title="Create access key"
      submit="Create"
      ready={name.trim() !== ''}
      pending={create.isPending}
      problem={create.error ? errorMessageOf(create.error) : undefined}
      onClose={onClose}
      onSubmit={() => create.mutate()}
    >
      <TextInput
        label="Name"
        description="The build or service that uses it."
        value={name}
        maxLength={80}
        data-autofocus
        autoComplete="off"
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Select
        label="Use"
        data={organizationKeyUses.map((value) => ({ value, label: accessKeyUseLabels[value] }))}
        value={use}
        onChange={(chosen) => setUse(chosen ?? 'sarif')}
        allowDeselect={false}
      />
      {use === 'sarif' && (
        <Select
          label="Repository"
          data={[{ value: '', label: 'Every enabled repository' }, ...repositories]}
          value={repositoryId ?? ''}
          onChange={(chosen) => setRepositoryId(chosen || null)}
          allowDeselect={false}
          searchable={repositories.length > 10}
        />
      )}
      <Select
        label="Expires"
        data={[
          ...accessKeyLifetimeDays.map((each) => ({ value: String(each), label: `In ${each} days` })),
          { value: '', label: 'Never' },
        ]}
        value={days === null ? '' : String(days)}
        onChange={(chosen) => setDays(chosen ? Number(chosen) : null)}
        allowDeselect={false}
      />
    </FormDialog>
  );
}

function useEnabled(): { value: string; label: string }[] {
  const { data } = useQuery({ ...endpointQuery(listProviderRepos, {}), meta: { quiet: true } });
  return Object.values(data?.providerRepos ?? {})
    .flatMap((owners) => Object.values(owners ?? {}).flat())
    .filter(({ tracked }) => tracked)
    .map(({ id, fullName }) => ({ value: id, label: fullName }));
}

const CreatedKey = ({ name, value, onClose }: { name: string; value: string; onClose: () => void }) => (
  <Dialog
    title={`${name} is created`}
    opened
    onClose={onClose}
    width={520}
    actions={
      <>
        <CopyButton value={value} label="Copy key" />
        <Button onClick={onClose}>Done</Button>
      </>
    }
  >
    <div className={s.form}>
      <p>Copy the key now. It is shown once and stored only as a hash.</p>
      <TextInput
        aria-label="Access key"
        value={value}
        readOnly
        classNames={{ input: s.key ?? '' }}
        onFocus={({ currentTarget }) => currentTarget.select()}
        data-autofocus
      />
    </div>
  </Dialog>
);
