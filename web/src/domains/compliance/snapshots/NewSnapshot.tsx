import { Select, TextInput } from '@mantine/core';
import {
  createSnapshot,
  listSnapshots,
  type SnapshotRedaction,
  snapshotRedactions,
} from '@sightline/contract/compliance/snapshots.ts';
import { controlIds } from '@sightline/contract/core/control-ids.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { useRepositoryChoices } from '#lib/repository-choices.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { MultiSelect, type Option } from '#ui/MultiSelect.tsx';
import { RedactionSelect } from '#ui/RedactionSelect.tsx';
import { snapshotPeriodName } from '#ui/snapshotText.ts';
import s from './Snapshots.module.css';
import { snapshotHref, snapshotPeriodChoices } from './snapshotLabels.ts';
import { useControls } from './useControls.ts';

/** Creates a snapshot of the entered scope and opens its page. */
export function NewSnapshot({ onClose }: { onClose: () => void }) {
  const evaluated = useControls()
    .filter(({ isEvaluated }) => isEvaluated)
    .map(({ id, title }) => ({ value: id, label: `${id} ${title}` }));
  const [choices] = useState(() => snapshotPeriodChoices(new Date()));
  const [period, setPeriod] = useState(choices[0]?.value ?? '');
  const [typed, setTyped] = useState<string>();
  const [redaction, setRedaction] = useState<SnapshotRedaction>('none');
  const [controls, setControls] = useState<readonly string[]>([]);
  const [repositories, setRepositories] = useState<readonly string[]>([]);
  const [supersedes, setSupersedes] = useState<string | null>(null);
  const earlier = useEarlier();
  const navigate = useNavigate();
  const name = typed ?? `Evidence of ${choices.find(({ value }) => value === period)?.label ?? period}`;
  const create = useMutation({
    mutationFn: () =>
      call(createSnapshot, {
        body: {
          name: name.trim(),
          period,
          redaction,
          supersedes,
          ...(controls.length > 0 && { controls: controlIds.filter((id) => controls.includes(id)) }),
          repositories: repositories.length > 0 ? [...repositories] : null,
        },
      }),
    meta: { quiet: true },
    onSuccess: (snapshot) => {
      navigate(snapshotHref(snapshot));
    },
  });
  return (
    <FormDialog
      title="New snapshot"
      submit="Create snapshot"
      ready={name.trim() !== ''}
      pending={create.isPending}
      problem={create.error ? errorMessageOf(create.error, 'The snapshot was not created. Try again.') : undefined}
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
      <Choice
        label="Controls"
        all="All controls with data"
        options={evaluated}
        values={controls}
        onChange={setControls}
      />
      <Choice
        label="Repositories"
        all="All, including items without a repository"
        options={useRepositoryChoices() ?? []}
        values={repositories}
        onChange={setRepositories}
      />
      {earlier.length > 0 && (
        <Select
          label="Supersedes"
          description="Both are kept. The bundle names the earlier one."
          placeholder="No earlier snapshot"
          clearable
          searchable
          data={earlier}
          value={supersedes}
          onChange={setSupersedes}
        />
      )}
      <RedactionSelect
        description="The bundle contains commitments instead of this data, and everything else can be verified. The disclosure key of the snapshot opens them."
        values={snapshotRedactions}
        value={redaction}
        onChange={setRedaction}
      />
      <p className="dim">
        It is evaluated at a checkpoint that is signed now. It cannot be changed afterwards, only superseded.
      </p>
    </FormDialog>
  );
}

/** Returns the snapshots with a bundle, newest first. */
function useEarlier(): { value: string; label: string }[] {
  const { data } = useQuery(endpointQuery(listSnapshots, { query: { perPage: 100 } }));
  return (data?.rows ?? [])
    .filter(({ state }) => state === 'ready')
    .map(({ id, name, period }) => ({ value: id, label: `${name} (${snapshotPeriodName(period)})` }));
}

interface ChoiceProps {
  label: string;
  /** The meaning of an empty selection. */
  all: string;
  options: readonly Option[];
  values: readonly string[];
  onChange: (values: readonly string[]) => void;
}

/** Selects some options, or all of them. */
const Choice = ({ label, all, options, values, onChange }: ChoiceProps) => (
  <div className={s.choice}>
    <MultiSelect name={label} options={options} values={values} onChange={onChange} emptyText="There are none" />
    <p className="dim">{values.length === 0 ? all : `${values.length} of ${options.length}`}</p>
  </div>
);
