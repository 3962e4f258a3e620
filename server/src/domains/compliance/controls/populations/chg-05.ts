import { checksRow } from '../../changes/rows.ts';
import { isMerge, populationOfChanges } from './changes.ts';

export const population = populationOfChanges(checksRow, isMerge);
