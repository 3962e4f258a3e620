import type { Control } from '../control.ts';
import type { Parameters, SettingOf } from '../parameters.ts';
import type { PopulationRow } from '../rows.ts';

/** Whether the row is in the population under a setting. */
export const isInPopulation = <Row extends PopulationRow, P extends Parameters>(
  { isApplicable, excludedBy }: Pick<Control<Row, P>, 'isApplicable' | 'excludedBy'>,
  row: Row,
  setting: SettingOf<P>,
): boolean => isApplicable(row) && excludedBy(row, setting).length === 0;
