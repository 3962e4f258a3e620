import { Select, TextInput } from '@mantine/core';
import { type AnchorKind, anchorKindNames, anchorKinds } from '@sightline/contract/ledger/anchors.ts';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { AnchorFields } from './AnchorFields.tsx';
import { anchorIntervals, anchorKindDescriptions } from './anchorLabels.ts';
import { type AnchorDraft, anchorDraftOf, emptyAnchorForm, isAnchorFormComplete } from './draft.ts';

interface AnchorDialogProps {
  save: UseMutationResult<unknown, Error, AnchorDraft>;
  onClose: () => void;
}

/** Somebody else who is to have checkpoints from now on. */
export function AnchorDialog({ save, onClose }: AnchorDialogProps) {
  const [draft, setDraft] = useState(emptyAnchorForm);
  const set = (patch: Partial<typeof draft>) => setDraft({ ...draft, ...patch });
  return (
    <FormDialog
      title="Add anchor"
      submit="Add"
      width={560}
      ready={isAnchorFormComplete(draft)}
      pending={save.isPending}
      problem={save.error ? errorMessageOf(save.error) : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate(anchorDraftOf(draft))}
    >
      <Select
        label="Kind"
        description={anchorKindDescriptions[draft.kind]}
        data={anchorKinds.map((kind) => ({ value: kind, label: anchorKindNames[kind] }))}
        value={draft.kind}
        allowDeselect={false}
        onChange={(kind) => set({ kind: (kind ?? draft.kind) as AnchorKind })}
        data-autofocus
      />
      <TextInput
        label="Name"
        description="The party that keeps the checkpoints. It cannot be changed later."
        placeholder="Auditors of 2026"
        value={draft.party}
        maxLength={80}
        autoComplete="off"
        onChange={({ currentTarget }) => set({ party: currentTarget.value })}
      />
      <AnchorFields draft={draft} set={set} />
      <Select
        label="Frequency"
        data={[...anchorIntervals]}
        value={draft.everyHours}
        allowDeselect={false}
        onChange={(everyHours) => set({ everyHours: everyHours ?? draft.everyHours })}
      />
    </FormDialog>
  );
}
