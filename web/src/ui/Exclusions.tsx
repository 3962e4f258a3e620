import type { ControlDefinition, Exclusion } from '@sightline/contract/compliance/controls.ts';

interface ExclusionsProps {
  exclusions: readonly Exclusion[];
  parameters: ControlDefinition['parameters'];
  className?: string | undefined;
}

/** Lists how many items each parameter excluded from a population. Renders nothing if none did. */
export function Exclusions({ exclusions, parameters, className }: ExclusionsProps) {
  if (exclusions.length === 0) return null;
  return (
    <ul className={className} aria-label="Items excluded by parameters">
      {exclusions.map((one) => (
        <li key={`${one.parameter} ${one.setting}`}>
          <span>
            {parameters.find(({ name }) => name === one.parameter)?.title ?? one.parameter}: {exclusionWords(one)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function exclusionWords({ setting, items, byDefault }: Exclusion): string {
  const by = setting === 0 ? 'by default' : `by version ${setting}`;
  const defaults = setting === 0 || byDefault === 0 ? '' : `, ${number.format(byDefault)} of them also by default`;
  return `${number.format(items)} ${items === 1 ? 'item' : 'items'} excluded ${by}${defaults}`;
}

const number = new Intl.NumberFormat('en-GB');
