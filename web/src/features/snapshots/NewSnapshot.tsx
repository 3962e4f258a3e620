import { Select, Switch, TextInput } from '@mantine/core';
import { createSnapshot, listSnapshots } from '@sightline/contract/snapshots.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { reasonOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { periodChoices, snapshotHref } from './words.ts';

/** Asks what is to be frozen, and leads to it. */
export function NewSnapshot({ onClose }: { onClose: () => void }) {
  const [choices] = useState(() => periodChoices(new Date()));
  const [period, setPeriod] = useState(choices[0]?.value ?? '');
  const [typed, setTyped] = useState<string>();
  const [withheld, setWithheld] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const name = typed ?? `Evidence of ${choices.find(({ value }) => value === period)?.label ?? period}`;
  const create = useMutation({
    mutationFn: () =>
      call(createSnapshot, { body: { name: name.trim(), period, redaction: withheld ? 'people' : 'none' } }),
    meta: { quiet: true },
    onSuccess: (snapshot) => {
      void queryClient.invalidateQueries({ queryKey: keyOf(listSnapshots) });
      navigate(snapshotHref(snapshot));
    },
  });
  return (
    <FormDialog
      title="New snapshot"
      submit="Freeze"
      ready={name.trim() !== ''}
      pending={create.isPending}
      problem={create.error ? reasonOf(create.error, 'It was not frozen. Try again.') : undefined}
      onClose={onClose}
      onSubmit={() => create.mutate()}
    >
      <Select
        label="Period"
        data={choices}
        value={period}
        allowDeselect={false}
        onChange={(value) => value !== null && setPeriod(value)}
      />
      <TextInput
        label="Name"
        maxLength={120}
        value={name}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Switch
        label="Withhold people"
        description="The bundle opens nothing that is committed about people, such as titles they gave. Everything else is verified the same."
        checked={withheld}
        onChange={({ currentTarget }) => setWithheld(currentTarget.checked)}
      />
      <p className="dim">
        Every control whose facts are told is judged as of a checkpoint that is signed now. Nobody can change it
        afterwards; another one may take its place.
      </p>
    </FormDialog>
  );
}
