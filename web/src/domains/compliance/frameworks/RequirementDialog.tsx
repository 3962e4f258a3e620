import { Select, Textarea, TextInput } from '@mantine/core';
import { type FrameworkRequirement, updateFrameworkRequirement } from '@sightline/contract/compliance/frameworks.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
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
  const [search, setSearch] = useState('');
  const { data } = useQuery({
    ...endpointQuery(listMembers, { query: { search, sort: 'name-asc', perPage: 50, role: [], status: ['active'] } }),
    meta: { quiet: true },
  });
  const save = useChange(
    () =>
      call(updateFrameworkRequirement, {
        params: { frameworkId, requirementId: row.id },
        body: { ownerId, dueOn: dueOn === '' ? null : dueOn, notes },
      }),
    onClose,
    { quiet: true },
  );
  const found = (data?.rows ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const current = row.owner ? [{ value: row.owner.id, label: row.owner.name }] : [];
  const choices = [...current.filter(({ value }) => !found.some((one) => one.value === value)), ...found];
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
        data={choices}
        value={ownerId}
        onChange={setOwnerId}
        searchable
        clearable
        onSearchChange={(text) => setSearch(choices.some(({ label }) => label === text) ? '' : text)}
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
