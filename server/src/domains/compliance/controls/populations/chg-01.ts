import { changeRow } from '../../changes/rows.ts';
import { populationOfChanges } from './changes.ts';

export const population = populationOfChanges(changeRow);
