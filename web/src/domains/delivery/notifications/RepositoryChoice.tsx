import { useRepositoryChoices } from '#lib/repository-choices.ts';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { SegmentedToggle } from '#ui/SegmentedToggle.tsx';
import s from './Settings.module.css';

interface RepositoryChoiceProps {
  /** Ids; null for all. */
  value: string[] | null;
  onChange: (value: string[] | null) => void;
}

/** All repositories, or only some of them. */
export function RepositoryChoice({ value, onChange }: RepositoryChoiceProps) {
  const options = useRepositoryChoices() ?? [];
  return (
    <div className={s.choice}>
      <span className={s.label}>Repositories</span>
      <span className={s.hint}>Vulnerabilities, exceptions and repositories are told of these alone.</span>
      <div className={s.line}>
        <SegmentedToggle
          label="Repositories"
          choices={[
            { value: 'all', label: 'All I can see' },
            { value: 'some', label: 'Only some' },
          ]}
          value={value === null ? 'all' : 'some'}
          onChange={(choice) => onChange(choice === 'all' ? null : [])}
        />
        {value !== null && (
          <MultiSelect
            name="Repositories"
            options={options}
            values={value}
            onChange={onChange}
            emptyText="No repositories available"
          />
        )}
      </div>
      {value?.length === 0 && <span className={s.hint}>None is chosen yet: nothing of any repository is told.</span>}
    </div>
  );
}
