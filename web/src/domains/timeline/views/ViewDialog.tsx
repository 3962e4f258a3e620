import { Checkbox, TextInput } from '@mantine/core';
import type { SavedView } from '@sightline/contract/timeline/explore.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';

interface ViewDialogProps {
  /** The view to rename; undefined saves a new one. */
  view: SavedView | undefined;
  /** What a new view contains. */
  description: string;
  /** Saves the view; throws on failure. */
  keep: (named: Pick<SavedView, 'name' | 'shared'>) => Promise<SavedView>;
  onClose: () => void;
  onSaved: (view: SavedView) => void;
}

/** Edits the name of a view, and whether it is shared. */
export function ViewDialog({ view, description, keep, onClose, onSaved }: ViewDialogProps) {
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(view?.shared ?? false);
  const save = useMutation({
    mutationFn: () => keep({ name, shared }),
    meta: { quiet: true },
    onSuccess: onSaved,
  });
  return (
    <FormDialog
      title={view ? `Rename “${view.name}”` : 'Save this view'}
      submit="Save"
      ready={name.trim() !== ''}
      pending={save.isPending}
      problem={save.error ? errorMessageOf(save.error) : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate()}
    >
      <TextInput
        label="Name"
        description={view ? undefined : description}
        value={name}
        maxLength={80}
        data-autofocus
        autoComplete="off"
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Checkbox
        label="Share with the organization"
        checked={shared}
        onChange={({ currentTarget }) => setShared(currentTarget.checked)}
      />
    </FormDialog>
  );
}
