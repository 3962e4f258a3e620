import { changeRow } from '../../changes/rows.ts';
import { ofChanges } from './changes.ts';

export const population = ofChanges(changeRow);
