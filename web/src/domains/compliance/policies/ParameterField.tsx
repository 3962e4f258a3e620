import { Checkbox, Textarea, TextInput } from '@mantine/core';
import type { ControlDefinition, ControlSetting } from '@sightline/contract/compliance/controls.ts';
import { uniqueLinesOf } from './draft.ts';
import s from './Policies.module.css';
import { parameterChoiceText } from './policyLabels.ts';

type ParameterValue = ControlSetting[string];

interface ParameterFieldProps {
  parameter: ControlDefinition['parameters'][number];
  value: ParameterValue | undefined;
  onChange: (value: ParameterValue) => void;
}

/** Edits one parameter of a control according to its type. */
export function ParameterField({ parameter, value = parameter.default, onChange }: ParameterFieldProps) {
  const { title } = parameter;
  switch (parameter.kind) {
    case 'number': {
      const { unit, min, max } = parameter;
      const wrong = typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max;
      return (
        <TextInput
          type="number"
          label={title}
          description={`In ${unit}, from ${min} to ${max}`}
          value={typeof value === 'number' && !Number.isNaN(value) ? value : ''}
          min={min}
          max={max}
          w={280}
          maw="100%"
          error={wrong && `Must be a whole number from ${min} to ${max}`}
          onChange={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
        />
      );
    }
    case 'switch':
      return (
        <Checkbox
          label={title}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'patterns':
      return (
        <Patterns
          label={title}
          hint={parameterHints[parameter.name]}
          value={Array.isArray(value) ? value : []}
          onChange={onChange}
        />
      );
    case 'choices':
      return (
        <Checkbox.Group label={title} value={Array.isArray(value) ? value : []} onChange={onChange}>
          <div className={s.choices}>
            {parameter.choices.map((choice) => (
              <Checkbox key={choice} value={choice} label={parameterChoiceText(choice)} />
            ))}
          </div>
        </Checkbox.Group>
      );
  }
}

/** Examples of parameters whose values are not obvious. */
const parameterHints: Readonly<Record<string, string>> = {
  agents: 'Such as Claude, Codex or Copilot. Only ** allows all, and nothing allows none.',
  models: 'Such as claude-* or gpt-5*. Only ** allows all, and nothing allows none.',
  mcpServers:
    'Names, as sessions report them, and sources, as in configuration: github, npm:@acme/*, https://mcp.example.com. Only ** allows all.',
  protectedPaths: 'Such as .github/workflows/** or infra/**.',
};

const Patterns = ({
  label,
  hint = '',
  value,
  onChange,
}: {
  label: string;
  hint?: string | undefined;
  value: string[];
  onChange: (value: string[]) => void;
}) => (
  <Textarea
    label={label}
    description={`One per line. * matches anything except a slash, ** matches anything. ${hint}`.trim()}
    autosize
    minRows={1}
    maxRows={6}
    w={420}
    maw="100%"
    defaultValue={value.join('\n')}
    onChange={({ currentTarget }) => onChange(uniqueLinesOf(currentTarget.value))}
  />
);
