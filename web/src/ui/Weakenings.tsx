import type { ControlDefinition } from '@sightline/contract/compliance/controls.ts';
import { absoluteTime } from './time.ts';

interface Weakening {
  entry: number;
  at: string;
  version: number;
  parameter: string;
  repositories: number | null;
  before: string;
  after: string;
}

interface WeakeningsProps<One extends Weakening> {
  weakenings: readonly One[];
  parameters: ControlDefinition['parameters'];
  /** The author and the approver, in words. */
  peopleText: (weakening: One) => string;
  className?: string | undefined;
}

/** Lists the changes of policies in the period that made a parameter less strict. Renders nothing without one. */
export function Weakenings<One extends Weakening>({
  weakenings,
  parameters,
  peopleText,
  className,
}: WeakeningsProps<One>) {
  if (weakenings.length === 0) return null;
  return (
    <ul className={className} aria-label="Parameters weakened in the period">
      {weakenings.map((one) => (
        <li key={`${one.entry} ${one.parameter} ${one.before} ${one.repositories}`}>
          <span>
            {titleOf(one.parameter, parameters)} weakened from {one.before} to {one.after}
            {one.repositories !== null &&
              ` for ${one.repositories === 1 ? '1 repository' : `${one.repositories} repositories`}`}
            , {absoluteTime(Date.parse(one.at))}. {peopleText(one)}
          </span>
        </li>
      ))}
    </ul>
  );
}

const titleOf = (parameter: string, parameters: ControlDefinition['parameters']): string =>
  parameters.find(({ name }) => name === parameter)?.title ?? fieldTitles[parameter] ?? parameter;
const fieldTitles: Readonly<Record<string, string>> = { mode: 'Mode of the policy', tools: 'Tools of the policy' };
