import { ticketRow } from '../../changes/rows.ts';
import { isMerge, populationOfChanges } from './changes.ts';

export const population = populationOfChanges(ticketRow, isMerge);
