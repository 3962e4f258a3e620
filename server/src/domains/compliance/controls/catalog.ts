import type { ControlDefinition } from '@sightline/contract/compliance/controls.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { Control } from '@sightline/evidence/controls/control.ts';
import { controls } from '@sightline/evidence/controls/control-list.ts';
import { type FrameworkId, frameworks, requirements } from '@sightline/evidence/controls/crosswalk.ts';
import type { Parameters } from '@sightline/evidence/controls/parameters.ts';
import type { PopulationRow } from '@sightline/evidence/controls/rows.ts';
import { sources } from '@sightline/evidence/controls/sources.ts';
import { populations } from './populations/index.ts';
import type { Population } from './populations/population.ts';

/** Returns a control; its row type is known only to the control itself. */
export const controlOf = (id: ControlId): Control<PopulationRow, Parameters> => controls[id] as never;

/** Returns the population of a control; undefined if none of its data sources exists yet. */
export const populationOf = (id: ControlId): Population<PopulationRow> | undefined => populations[id];

/** The definition of a control, as in API responses. */
export function definitionOf(id: ControlId): ControlDefinition {
  const { title, rule, population, verdicts, parameters, crosswalk, sources: needs } = controlOf(id);
  return {
    id,
    title,
    rule,
    population,
    verdicts: { ...verdicts },
    parameters: Object.entries(parameters).map(([name, parameter]) => ({ name, ...parameter })) as never,
    crosswalk: (Object.keys(frameworks) as FrameworkId[]).flatMap((framework) =>
      (crosswalk[framework] ?? []).map((requirement) => ({
        framework: frameworks[framework],
        requirement,
        title: (requirements[framework] as Readonly<Record<string, string>>)[requirement] ?? requirement,
      })),
    ),
    sources: needs.map((source) => ({ id: source, ...sources[source] })),
  };
}
