import { mergeRow } from '../../changes/rows.ts';
import { isMerge, populationOfChanges } from './changes.ts';

export const population = populationOfChanges(mergeRow, isMerge);
