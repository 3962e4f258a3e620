import { useRepositoryChoices } from '#lib/repository-choices.ts';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { SegmentedToggle } from '#ui/SegmentedToggle.tsx';
import s from './Settings.module.css';

interface RepositoryChoiceProps {
  /** Repository IDs; null means all. */
  value: string[] | null;
  onChange: (value: string[] | null) => void;
}

/** Selects all repositories, or some of them. */
export function RepositoryChoice({ value, onChange }: RepositoryChoiceProps) {
  const options = useRepositoryChoices() ?? [];
  return (
    <div className={s.choice}>
      <span className={s.label}>Repositories</span>
      <span className={s.hint}>Limits notifications about vulnerabilities, waivers and repositories.</span>
      <div className={s.line}>
        <SegmentedToggle
          label="Repositories"
          choices={[
            { value: 'all', label: 'All with access' },
            { value: 'some', label: 'Selected repositories' },
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
      {value?.length === 0 && (
        <span className={s.hint}>No repository is selected. You receive no notifications about repositories.</span>
      )}
    </div>
  );
}
