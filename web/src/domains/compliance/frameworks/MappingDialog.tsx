import { TextInput } from '@mantine/core';
import {
  type FrameworkDetails,
  type FrameworkRequirement,
  updateFrameworkMapping,
} from '@sightline/contract/compliance/frameworks.ts';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';

interface MappingDialogProps {
  framework: FrameworkDetails;
  row: FrameworkRequirement;
  onClose: () => void;
}

/** Maps a requirement of an imported framework to controls, each with a rationale. */
export function MappingDialog({ framework, row, onClose }: MappingDialogProps) {
  const [mapped, setMapped] = useState(new Map(row.controls.map(({ id, rationale }) => [id, rationale])));
  const save = useChange(
    () => call(updateFrameworkMapping, { params: { frameworkId: framework.id }, body: bodyOf(framework, row, mapped) }),
    onClose,
    { quiet: true },
  );
  const choose = (ids: readonly string[]) =>
    setMapped(new Map(controlIds.filter((id) => ids.includes(id)).map((id) => [id, mapped.get(id) ?? ''])));
  return (
    <FormDialog
      title={`Map ${row.id} to controls`}
      submit="Save"
      ready={[...mapped.values()].every((rationale) => rationale.trim() !== '')}
      pending={save.isPending}
      problem={save.error ? errorMessageOf(save.error, 'The mappings were not saved. Try again.') : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate()}
    >
      <p className="dim">A change is a new version of the mappings. Another member must approve it.</p>
      <MultiSelect
        name="Controls"
        options={controlIds.map((id) => ({ value: id, label: id }))}
        values={[...mapped.keys()]}
        onChange={choose}
        emptyText="No controls"
      />
      {[...mapped].map(([id, rationale]) => (
        <TextInput
          key={id}
          label={`Rationale of ${id}`}
          placeholder="What the control shows about this requirement"
          maxLength={500}
          value={rationale}
          onChange={({ currentTarget: { value } }) => setMapped(new Map(mapped).set(id, value))}
        />
      ))}
    </FormDialog>
  );
}

const bodyOf = (
  { mapping, rows }: FrameworkDetails,
  changed: FrameworkRequirement,
  mapped: ReadonlyMap<ControlId, string>,
) => ({
  version: mapping.version,
  mappings: rows.flatMap(({ id, controls }) => {
    const current =
      id === changed.id ? [...mapped].map(([control, rationale]) => ({ id: control, rationale })) : controls;
    return current.map(({ id: control, rationale }) => ({ requirement: id, control, rationale: rationale.trim() }));
  }),
});
