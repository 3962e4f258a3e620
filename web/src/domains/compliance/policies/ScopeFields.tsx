import { Radio, Textarea, TextInput } from '@mantine/core';
import {
  isToolKind,
  type PolicyKindDefinition,
  supportsRepositoryScope,
} from '@sightline/contract/compliance/policies.ts';
import { useRepositoryChoices } from '#lib/repository-choices.ts';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { hasBranchParameter, type PolicyFields } from './draft.ts';
import s from './Policies.module.css';
import { useToolChoices } from './useChoices.ts';

interface ScopeFieldsProps {
  draft: PolicyFields;
  definition: PolicyKindDefinition | undefined;
  onChange: (patch: Partial<PolicyFields>) => void;
}

/** Edits the scope of a policy: repositories and branches, or tools. */
export function ScopeFields({ draft, definition, onChange }: ScopeFieldsProps) {
  if (isToolKind(draft.kind)) return <Tools tools={draft.tools} onChange={(tools) => onChange({ tools })} />;
  return (
    <>
      {supportsRepositoryScope(draft.kind) ? (
        <Repositories value={draft.repositories} onChange={(repositories) => onChange({ repositories })} />
      ) : (
        <p className="dim">It applies to the whole organization.</p>
      )}
      {hasBranchParameter(draft, definition) && (
        <Textarea
          label="Additional branches"
          description="One per line. * matches anything except a slash, ** matches anything. Leave empty for the default branch only."
          placeholder="release/*"
          autosize
          minRows={1}
          maxRows={6}
          w={420}
          maw="100%"
          value={draft.branches}
          onChange={({ currentTarget }) => onChange({ branches: currentTarget.value })}
        />
      )}
    </>
  );
}

function Repositories({ value, onChange }: { value: string[] | null; onChange: (value: string[] | null) => void }) {
  const options = useRepositoryChoices() ?? [];
  return (
    <Radio.Group
      label="Repositories"
      value={value === null ? 'all' : 'some'}
      onChange={(chosen) => onChange(chosen === 'all' ? null : [])}
    >
      <div className={s.choices}>
        <Radio value="all" label="All repositories, including repositories enabled later" />
        <Radio value="some" label="Selected repositories, instead of the parameters for all" />
        {value !== null && (
          <div className={s.inset}>
            <MultiSelect
              name="Repositories"
              options={options}
              values={value}
              onChange={onChange}
              emptyText="No enabled repositories"
            />
          </div>
        )}
      </div>
    </Radio.Group>
  );
}

function Tools({
  tools,
  onChange,
}: {
  tools: PolicyFields['tools'];
  onChange: (tools: PolicyFields['tools']) => void;
}) {
  const options = useToolChoices();
  const nameOf = (id: string) => options.find(({ value }) => value === id)?.label ?? id;
  const choose = (ids: readonly string[]) =>
    onChange(ids.map((id) => tools.find((tool) => tool.id === id) ?? { id, versions: '' }));
  return (
    <div className={s.choices}>
      <div>
        <MultiSelect
          name="Tools"
          options={options}
          values={tools.map(({ id }) => id)}
          onChange={choose}
          emptyText="No tools detected"
        />
      </div>
      {tools.map((tool) => (
        <TextInput
          key={tool.id}
          label={`Versions of ${nameOf(tool.id)}`}
          description="Separated by commas, such as 1.*, 2.4.1; leave empty for all"
          w={420}
          maw="100%"
          value={tool.versions}
          maxLength={1000}
          onChange={({ currentTarget }) =>
            onChange(tools.map((one) => (one === tool ? { ...one, versions: currentTarget.value } : one)))
          }
        />
      ))}
    </div>
  );
}
