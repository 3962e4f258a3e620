import { Button, Checkbox, TextInput } from '@mantine/core';
import type { SavedView } from '@sightline/contract/explore.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { reasonOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import s from './ViewDialog.module.css';

interface Props {
  /** The one to rename; undefined to save a new one. */
  view: SavedView | undefined;
  /** What it will ask. */
  query: string;
  /** Keeps it; throws where that fails. */
  keep: (named: Pick<SavedView, 'name' | 'shared'>) => Promise<SavedView>;
  onClose: () => void;
  onSaved: (view: SavedView) => void;
}

/** Asks for the name of a view, and whether others see it. */
export function ViewDialog({ view, query, keep, onClose, onSaved }: Props) {
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(view?.shared ?? false);
  const form = useId();
  const save = useMutation({
    mutationFn: () => keep({ name, shared }),
    meta: { quiet: true },
    onSuccess: onSaved,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '' && !save.isPending) save.mutate();
  };
  return (
    <Dialog
      title={view ? `Rename “${view.name}”` : 'Save this view'}
      opened
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form} disabled={name.trim() === ''} loading={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={form} className={s.form} onSubmit={submit}>
        <TextInput
          label="Name"
          description={view ? undefined : query === '' ? 'It shows every event.' : query}
          value={name}
          maxLength={80}
          data-autofocus
          autoComplete="off"
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Checkbox
          label="Share with everybody in the organization"
          checked={shared}
          onChange={({ currentTarget }) => setShared(currentTarget.checked)}
        />
        {save.error && (
          <Banner tone="error">
            {reasonOf(save.error, 'The server could not be reached. Check your connection.')}
          </Banner>
        )}
      </form>
    </Dialog>
  );
}
