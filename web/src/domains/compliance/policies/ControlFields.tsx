import { Checkbox } from '@mantine/core';
import type { PolicyKindDefinition } from '@sightline/contract/compliance/policies.ts';
import type { PolicyFields } from './draft.ts';
import { ParameterField } from './ParameterField.tsx';
import s from './Policies.module.css';

interface ControlFieldsProps {
  controls: PolicyKindDefinition['controls'];
  settings: PolicyFields['settings'];
  onChange: (settings: PolicyFields['settings']) => void;
}

/** Lists the controls that a policy kind can set. A selected control shows its parameters. */
export const ControlFields = ({ controls, settings, onChange }: ControlFieldsProps) => (
  <ul className={s.controls}>
    {controls.map(({ id, title, rule, parameters }) => {
      const values = settings[id];
      const shown = parameters.filter(({ name }) => name !== 'branches');
      return (
        <li key={id} data-on={values !== undefined || undefined}>
          <Checkbox
            label={
              <>
                <code>{id}</code> {title}
              </>
            }
            description={rule}
            checked={values !== undefined}
            onChange={({ currentTarget }) => onChange({ ...settings, [id]: currentTarget.checked ? {} : undefined })}
          />
          {values !== undefined && shown.length > 0 && (
            <div className={s.parameters}>
              {shown.map((parameter) => (
                <ParameterField
                  key={parameter.name}
                  parameter={parameter}
                  value={values[parameter.name]}
                  onChange={(value) => onChange({ ...settings, [id]: { ...values, [parameter.name]: value } })}
                />
              ))}
            </div>
          )}
        </li>
      );
    })}
  </ul>
);
