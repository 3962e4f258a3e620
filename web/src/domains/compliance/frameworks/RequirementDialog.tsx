import { Select, Textarea, TextInput } from '@mantine/core';
import { type FrameworkRequirement, updateFrameworkRequirement } from '@sightline/contract/compliance/frameworks.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { useMemberChoices } from '#lib/member-choices.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';

interface RequirementDialogProps {
  frameworkId: string;
  row: FrameworkRequirement;
  onClose: () => void;
}

/** Edits owner, due date and notes of a requirement. */
export function RequirementDialog({ frameworkId, row, onClose }: RequirementDialogProps) {
  const [ownerId, setOwnerId] = useState(row.owner?.id ?? null);
  const [dueOn, setDueOn] = useState(row.dueOn ?? '');
  const [notes, setNotes] = useState(row.notes);
  const members = useMemberChoices(row.owner ? [row.owner] : []);
  const save = useChange(
    () =>
      call(updateFrameworkRequirement, {
        params: { frameworkId, requirementId: row.id },
        body: { ownerId, dueOn: dueOn === '' ? null : dueOn, notes },
      }),
    onClose,
    { quiet: true },
  );
  return (
    <FormDialog
      title={`${row.id}: ${row.title}`}
      submit="Save"
      ready
      pending={save.isPending}
      problem={save.error ? errorMessageOf(save.error, 'The requirement was not saved. Try again.') : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate()}
    >
      <Select
        label="Owner"
        placeholder="No owner"
        data={[...members.choices]}
        value={ownerId}
        onChange={setOwnerId}
        searchable
        clearable
        onSearchChange={members.onSearchChange}
        nothingFoundMessage="No active member matches"
      />
      <TextInput
        label="Due date"
        type="date"
        value={dueOn}
        onChange={({ currentTarget }) => setDueOn(currentTarget.value)}
      />
      <Textarea
        label="Notes"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={4000}
        value={notes}
        onChange={({ currentTarget }) => setNotes(currentTarget.value)}
      />
    </FormDialog>
  );
}
